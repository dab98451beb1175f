import { type Amount, ONE, parseAmount, ZERO } from "../../core/amount.ts";
import { usageError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { describe } from "../../formats/json.ts";
import type { Span } from "./dates.ts";
import { type Sheet, wrongLine } from "./sheet.ts";

/** One rate of a file: 1 base = value quote, from `from` to `to`. */
export interface Rate extends Span {
  /** The name in the file: `EUR/USD`, `FXUSDCAD`. */
  readonly series: string;
  readonly base: string;
  readonly quote: string;
  /** `day`: valid until the next one, for some days. `period`: valid on its days only. */
  readonly kind: "day" | "period";
  /** Above zero. */
  readonly value: Amount;
  readonly file: Pick<RateFile, "name" | "label">;
  readonly line: number;
  /** The source that the user's own file names. */
  readonly source?: string;
}

export interface RateFile {
  readonly name: string;
  /** The publisher and the kind of rates. */
  readonly label: string;
  readonly rates: readonly Rate[];
  /** From the first day to the last. */
  readonly span: Span;
}

/** `{"USDT": "USD"}` means 1 USDT = 1 USD. The user declares it, and every converted amount says so. */
export type Pars = Readonly<Record<string, string>>;

/** A rate as a format reads it. `series`: if the file does not name it, it is `EUR/USD`. */
export type Entry = Omit<Rate, "value" | "series" | "file"> & { readonly series?: string; readonly rate: string };

/** How one publisher writes its rates. */
export interface RateFormat {
  /** The publisher and the kind of rates. */
  readonly label: string;
  /** True: the file may end without a line break. */
  readonly endsAnywhere?: true;
  /** What to do about a rate that is missing or bad. Absent: download the file again. */
  readonly hint?: string;
  /**
   * The rates in any order, without those marked as missing. Null: by its headings, the file has another form. Throws
   * `usage` with the line of a bad one.
   */
  readonly read: (sheet: Sheet) => readonly Entry[] | null;
}

const CURRENCY = /^[A-Z0-9]{2,12}$/;

/** The rates as numbers. Throws `usage` if one is not a plain decimal above zero, or if there is none. */
export function rateFile(sheet: Sheet, { label, hint }: RateFormat, entries: readonly Entry[]): RateFile {
  const { name } = sheet;
  const rates = entries.map(({ rate, ...entry }): Rate => {
    const { base, quote, line, series = `${base}/${quote}` } = entry;
    if (!(CURRENCY.test(base) && CURRENCY.test(quote)) || base === quote) {
      throw wrongLine(name, line, `${describe(base)} and ${describe(quote)} are not two currencies`, hint);
    }
    const value = parseAmount(rate) ?? ZERO;
    if (value.lte(ZERO)) {
      const what = `the rate of ${series} is ${describe(rate)}, not a decimal number greater than zero`;
      throw wrongLine(name, line, what, hint);
    }
    return { ...entry, series, value, file: { name, label } };
  });
  if (rates.length === 0) {
    const again = "download it again for the period of the fills, or remove it";
    throw usageError(`${name} (${label}) has no rates`, hint ?? again);
  }
  const from = rates.reduce((first, one) => (one.from < first ? one.from : first), "9999");
  return { name, label, rates, span: { from, to: endOf(rates) } };
}

/** The last day of the last of the rates. */
export function endOf(rates: readonly Rate[]): string {
  return rates.reduce((last, { to }) => (to > last ? to : last), "");
}

/** Throws `usage` if files of one form give two rates for one pair, in any direction, and time. */
export function checkSame(rates: readonly Rate[]): void {
  const known = new Map<string, Rate>();
  for (const rate of rates) {
    const { base, quote, kind, from, to, line, series, file } = rate;
    const key = [file.label, pairOf(base, quote), kind, from, to].join("\n");
    const first = getOrMake(known, key, () => rate);
    if (!isSame(first, rate)) {
      throw usageError(
        `${series} for ${kind === "day" ? from : `${from} to ${to}`} has two rates: ${first.file.name}, line ${first.line}, and ${file.name}, line ${line}`,
        "keep the right one, and remove the other; or download the file again",
      );
    }
  }
}

function isSame(one: Rate, other: Rate): boolean {
  return one.base === other.base ? one.value.eq(other.value) : one.value.times(other.value).eq(ONE);
}

/** Two currencies as one text, in alphabetical order: `EUR and USD`. */
export function pairOf(a: string, b: string): string {
  return a < b ? `${a} and ${b}` : `${b} and ${a}`;
}

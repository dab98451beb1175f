import { type Amount, parseAmount, ZERO } from "../../core/amount.ts";
import { FillbookError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { describe } from "../../formats/json.ts";
import type { Span } from "./dates.ts";
import { type Row, type Sheet, wrongLine } from "./sheet.ts";

/** One rate of a file: 1 base = rate quote, from `from` to `to`. */
export interface Rate extends Span {
  /** Above zero. */
  readonly value: Amount;
  readonly line: number;
  /** The source that the user's own file names. */
  readonly source: string | null;
}

/** The rates of one pair in one file. */
export interface RateSeries {
  /** The name in the file: `EUR/USD`, `FXUSDCAD`. */
  readonly name: string;
  readonly base: string;
  readonly quote: string;
  /**
   * `day`: published for a day, and valid until the next one, for some days. `period`: valid in its period
   * only.
   */
  readonly kind: "day" | "period";
  /** By their first day; for periods also their last. */
  readonly rates: ReadonlyMap<string, Rate>;
}

export interface RateFile {
  readonly name: string;
  /** The publisher and the kind of rates. */
  readonly label: string;
  readonly series: readonly RateSeries[];
  /** From the first day to the last. */
  readonly span: Span;
}

/** `{"USDT": "USD"}` means 1 USDT = 1 USD. The user declares it, and every converted amount says so. */
export type Pars = Readonly<Record<string, string>>;

/** A rate as a format reads it. */
export interface Entry extends Span {
  readonly series: string;
  readonly base: string;
  readonly quote: string;
  readonly kind: RateSeries["kind"];
  /** 1 base = rate quote */
  readonly rate: string;
  readonly line: number;
  readonly source?: string;
}

/**
 * A port: how one publisher writes its rates. To add one, write its file here and add its line to
 * recognise.ts.
 */
export interface RateFormat {
  /** The publisher and the kind of rates. */
  readonly label: string;
  /** True: the published file ends with a line break. */
  readonly isEnded: boolean;
  /** What to do about a rate that is missing or bad. Absent: download the file again. */
  readonly hint?: string;
  /** By its headings, never by the file's name. */
  recognises(rows: readonly Row[]): boolean;
  /** The rates in any order, without those marked as missing. Throws `usage` with the line of a bad one. */
  read(sheet: Sheet): Iterable<Entry>;
}

/** Throws `usage` if a rate is not a plain decimal above zero, if two rates differ, or if there is none. */
export function collect(sheet: Sheet, { label, hint, read }: RateFormat): RateFile {
  const { name } = sheet;
  const all = new Map<string, RateSeries & { readonly rates: Map<string, Rate> }>();
  let [from, to] = ["9999", "0000"];
  for (const entry of read(sheet)) {
    const { series, base, quote, kind } = entry;
    const empty = () => ({ name: series, base, quote, kind, rates: new Map<string, Rate>() });
    addRate(name, getOrMake(all, `${series}\n${kind}`, empty), { ...entry, hint });
    from = entry.from < from ? entry.from : from;
    to = entry.to > to ? entry.to : to;
  }
  if (all.size === 0) {
    throw new FillbookError("usage", `${name} (${label}) has no rates`, {
      hint: hint ?? "download it again for the period of the fills, or remove it",
    });
  }
  return { name, label, series: [...all.values()], span: { from, to } };
}

function addRate(
  name: string,
  series: { readonly rates: Map<string, Rate> },
  { hint, ...entry }: Entry & { readonly hint: string | undefined },
): void {
  const { from, to, line, rate, source = null } = entry;
  const value = parseAmount(rate) ?? ZERO;
  if (value.lte(ZERO)) {
    throw wrongLine(
      name,
      line,
      `the rate of ${entry.series} is ${describe(rate)}, not a decimal number greater than zero`,
      hint,
    );
  }
  const key = entry.kind === "day" ? from : `${from} ${to}`;
  const known = series.rates.get(key);
  if (known === undefined) {
    series.rates.set(key, { from, to, value, line, source });
  } else if (!known.value.eq(value)) {
    throw wrongLine(
      name,
      line,
      `${entry.series} is ${rate} for ${key}, but line ${known.line} has another rate`,
      "remove the wrong rate, or download the file again",
    );
  }
}

import { parseDecimal } from "../../core/decimal.ts";
import { FillbookError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import type { Span } from "./dates.ts";
import { quoted, type Row, type Sheet, wrongLine } from "./sheet.ts";

/** One rate of a file: 1 base = rate quote, in the time from `from` to `to`. */
export interface Rate extends Span {
  /** × 10^18, above zero */
  readonly units: bigint;
  readonly line: number;
  /** Where the user's own file says that it is from. */
  readonly source: string | null;
}

/** The rates of one pair in one file. */
export interface RateSeries {
  /** As the file calls it: `EUR/USD`, `FXUSDCAD`. */
  readonly name: string;
  readonly base: string;
  readonly quote: string;
  /** `day`: published for a day, and good until the next one, for some days. `period`: good in its period only. */
  readonly kind: "day" | "period";
  /** By their first day, and, of periods, their last. */
  readonly rates: ReadonlyMap<string, Rate>;
}

export interface RateFile {
  readonly name: string;
  /** Who publishes it, and what it is. */
  readonly label: string;
  readonly series: readonly RateSeries[];
  /** From its first day to its last. */
  readonly span: Span;
  /** Currencies, as the file names them, that were passed over: which ones are meant is not known. */
  readonly unread: readonly string[];
}

/** `{"USDT": "USD"}`: 1 USDT = 1 USD. The user declares it, and every converted amount says so. */
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

/** A port: how one publisher writes its rates. To add one: its file here, and its line in recognise.ts. */
export interface RateFormat {
  /** Who publishes it, and what it is. */
  readonly label: string;
  /** As it is published, its last line ends with a line break. */
  readonly isEnded: boolean;
  /** By its headings, never by the name of the file. */
  recognises(rows: readonly Row[]): boolean;
  /** Its rates in any order; those that it marks as missing are left out. Throws `usage` with the line of a bad one. */
  read(sheet: Sheet): Iterable<Entry>;
  /** Names of currencies whose rates `read` passes over; absent: it passes over none. */
  unread?(sheet: Sheet): readonly string[];
}

/** Throws `usage` when a rate is no plain decimal above zero, when two differ, and when there is none. */
export function collect(sheet: Sheet, { label, read, unread }: RateFormat): RateFile {
  const { name } = sheet;
  const all = new Map<string, RateSeries & { readonly rates: Map<string, Rate> }>();
  let [from, to] = ["9999", "0000"];
  for (const entry of read(sheet)) {
    const { series, base, quote, kind } = entry;
    const empty = () => ({ name: series, base, quote, kind, rates: new Map<string, Rate>() });
    addRate(name, getOrMake(all, `${series}\n${kind}`, empty), entry);
    from = entry.from < from ? entry.from : from;
    to = entry.to > to ? entry.to : to;
  }
  if (all.size === 0) {
    throw new FillbookError("usage", `${name} (${label}) has no rate in it`, {
      hint: "download it again for the time of the fills, or take it away",
    });
  }
  return { name, label, series: [...all.values()], span: { from, to }, unread: unread?.(sheet) ?? [] };
}

function addRate(name: string, series: { readonly rates: Map<string, Rate> }, entry: Entry): void {
  const { from, to, line, rate, source = null } = entry;
  const units = parseDecimal(rate)?.units ?? 0n;
  if (units <= 0n) {
    throw wrongLine(name, line, `the rate of ${entry.series} is ${quoted(rate)}: not a plain decimal above zero`);
  }
  const key = entry.kind === "day" ? from : `${from} ${to}`;
  const known = series.rates.get(key);
  if (known === undefined) {
    series.rates.set(key, { from, to, units, line, source });
  } else if (known.units !== units) {
    throw wrongLine(
      name,
      line,
      `${entry.series} is ${rate} for ${key}, and another in line ${known.line}`,
      "two rates for one day cannot both hold: take the wrong one out, or download the file again",
    );
  }
}

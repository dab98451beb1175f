import type { Amount } from "../../accounting/amount.ts";
import type { Cell, MarketStatement } from "../../accounting/statement.ts";
import { counted } from "../../model/text.ts";
import { isWhole, sumOfActivity } from "../tables/borders.ts";
import { currencyName } from "./words.ts";

/** Sums of some of a statement's cells, all of one currency; null: nothing is known of it. */
export interface Sums {
  /** All of them. */
  readonly fills: number;
  readonly volume: Amount | null;
  readonly feesPaid: Amount | null;
  readonly rebates: Amount | null;
  /** By method: realised before fees, the fees recognised with it, and what is left. */
  readonly results: readonly [Result, Result];
  readonly closes: number;
  readonly blankCloses: number;
  readonly untyped: number;
  /** Breaks of markets, in each month that they reach. */
  readonly breaks: number;
  /** Null: the user gave no file. */
  readonly funding: Amount | null;
}

export interface Result {
  readonly gross: Amount | null;
  readonly fees: Amount | null;
  readonly net: Amount | null;
}

/** `hasFunding`: the user gave a file. */
export function sumsOf(cells: readonly Cell[], hasFunding: boolean): Sums {
  const { fills, volume, feesPaid, rebates } = sumOfActivity(cells);
  const closes = count(cells, (cell) => cell.closes);
  const blankCloses = count(cells, (cell) => cell.blankCloses);
  const untyped = count(cells, (cell) => cell.untyped);
  const isPaidKnown = fills > 0 || untyped === 0;
  const isResultKnown = closes > 0 || cells.every(isWhole);
  return {
    fills: fills + untyped,
    volume: isPaidKnown ? volume : null,
    feesPaid: isPaidKnown ? feesPaid : null,
    rebates: isPaidKnown ? rebates : null,
    results: [resultOf(cells, 0, isResultKnown), resultOf(cells, 1, isResultKnown)],
    closes,
    blankCloses,
    untyped,
    breaks: count(cells, (cell) => cell.breaks),
    funding: hasFunding ? cells.reduce((sum, { funding }) => sum + (funding ?? 0n), 0n) : null,
  };
}

function resultOf(cells: readonly Cell[], method: 0 | 1, isKnown: boolean): Result {
  if (!isKnown) {
    return { gross: null, fees: null, net: null };
  }
  const gross = cells.reduce((sum, { results }) => sum + results[method].gross, 0n);
  const fees = cells.reduce((sum, { results }) => sum + results[method].fees, 0n);
  return { gross, fees, net: gross - fees };
}

function count(cells: readonly Cell[], of: (cell: Cell) => number): number {
  return cells.reduce((sum, cell) => sum + of(cell), 0);
}

/** Why figures are missing, or not whole: of the markets that the sums are of. Empty when they are whole. */
export function noteOf({ blankCloses, untyped, breaks }: Sums, markets: readonly MarketStatement[]): string {
  const why = codesOf(markets.flatMap(({ before, after }) => [before, after]));
  return [
    breaks > 0 ? "break_declared: fills are missing, see Exceptions" : "",
    blankCloses > 0
      ? `${counted(blankCloses, "close")} of unknown PnL, in no result: ${why === "" ? "the position was not known then" : why}`
      : "",
    untyped > 0 ? `${counted(untyped, "fill")} that cannot be typed, in no amount: see Exceptions` : "",
  ]
    .filter((text) => text !== "")
    .join(". ");
}

/** Why PnL is blank, by the codes that the cover explains. */
export function codesOf(carried: readonly MarketStatement["before"][]): string {
  const codes = carried.flatMap(({ blank }) => (blank === null ? [] : [blank]));
  return [...new Set(codes)].sort().join(", ");
}

/** In the order in which they are shown. */
export function currenciesOf(cells: readonly Cell[], markets: readonly MarketStatement[]): string[] {
  return [...new Set([...cells, ...markets].map(({ currency }) => currencyName(currency)))].sort();
}

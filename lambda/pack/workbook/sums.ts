import type { Amount } from "../../accounting/amount.ts";
import { type Activity, type Cell, LIQUIDITIES, type MarketStatement } from "../../accounting/statement.ts";
import { counted, currencyName } from "./words.ts";

/** Sums of some of a statement's cells, all of one currency. */
export interface Sums extends Activity {
  /** By method: realised before fees, and the fees recognised with it; null where nothing is known of it. */
  readonly results: readonly [Result, Result];
  readonly closes: number;
  readonly blankCloses: number;
  readonly untyped: number;
  readonly cashFlow: Amount;
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
  const parts = cells.flatMap(({ activity }) => LIQUIDITIES.map((liquidity) => activity[liquidity]));
  const closes = count(cells, (cell) => cell.closes);
  const blankCloses = count(cells, (cell) => cell.blankCloses);
  const untyped = count(cells, (cell) => cell.untyped);
  const isKnown = closes > 0 || (blankCloses === 0 && untyped === 0);
  return {
    fills: count(parts, ({ fills }) => fills),
    volume: total(parts, ({ volume }) => volume),
    feesPaid: total(parts, ({ feesPaid }) => feesPaid),
    rebates: total(parts, ({ rebates }) => rebates),
    results: [resultOf(cells, 0, isKnown), resultOf(cells, 1, isKnown)],
    closes,
    blankCloses,
    untyped,
    cashFlow: total(cells, ({ cashFlow }) => cashFlow),
    funding: hasFunding ? total(cells, ({ funding }) => funding ?? 0n) : null,
  };
}

function resultOf(cells: readonly Cell[], method: 0 | 1, isKnown: boolean): Result {
  if (!isKnown) {
    return { gross: null, fees: null, net: null };
  }
  const gross = total(cells, ({ results }) => results[method].gross);
  const fees = total(cells, ({ results }) => results[method].fees);
  return { gross, fees, net: gross - fees };
}

export function total<T>(items: readonly T[], amountOf: (item: T) => Amount): Amount {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}

function count<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** Why figures are missing, or not whole: of the markets that the sums are of. Empty when they are whole. */
export function noteOf({ blankCloses, untyped }: Sums, markets: readonly MarketStatement[]): string {
  const reasons = markets.flatMap(({ before, after }) => [before.blank, after.blank]).filter((blank) => blank !== null);
  const why = [...new Set(reasons)].sort().join(", ");
  return [
    blankCloses > 0
      ? `${counted(blankCloses, "close")} of unknown PnL, in no result: ${why === "" ? "the position was not known then" : why}`
      : "",
    untyped > 0 ? `${counted(untyped, "fill")} that cannot be typed, in no figure: see Exceptions` : "",
  ]
    .filter((text) => text !== "")
    .join(". ");
}

/** In the order in which they are shown. */
export function currenciesOf(cells: readonly Cell[], markets: readonly MarketStatement[]): string[] {
  return [...new Set([...cells, ...markets].map(({ currency }) => currencyName(currency)))].sort();
}

import type { Amount } from "../../accounting/amount.ts";
import type { OpenLot } from "../../accounting/cost-book.ts";
import { type Activity, type Carried, type Cell, LIQUIDITIES, type Liquidity } from "../../accounting/statement.ts";

/** Of a pair that is in the order of `methods`. */
export type MethodIndex = 0 | 1;
export const METHOD_INDICES: readonly MethodIndex[] = [0, 1];

/** Cells of one currency, added up. */
export interface Sum extends Activity, Pick<Cell, "untyped" | "closes" | "blankCloses" | "breaks" | "cashFlow"> {
  readonly byLiquidity: Readonly<Record<Liquidity, Activity>>;
  readonly gross: readonly [Amount, Amount];
  /** Recognised with what was closed. */
  readonly fees: readonly [Amount, Amount];
  /** Null: the user gave no file. */
  readonly funding: Amount | null;
}

export function sumOf(cells: readonly Cell[]): Sum {
  const byLiquidity = {
    maker: activityOf(cells.map(({ activity }) => activity.maker)),
    taker: activityOf(cells.map(({ activity }) => activity.taker)),
    other: activityOf(cells.map(({ activity }) => activity.other)),
  };
  const funding = cells.flatMap((cell) => (cell.funding === null ? [] : [cell.funding]));
  return {
    ...activityOf(LIQUIDITIES.map((liquidity) => byLiquidity[liquidity])),
    byLiquidity,
    untyped: counts(cells.map(({ untyped }) => untyped)),
    closes: counts(cells.map(({ closes }) => closes)),
    blankCloses: counts(cells.map(({ blankCloses }) => blankCloses)),
    breaks: counts(cells.map(({ breaks }) => breaks)),
    cashFlow: amounts(cells.map(({ cashFlow }) => cashFlow)),
    gross: [
      amounts(cells.map(({ results }) => results[0].gross)),
      amounts(cells.map(({ results }) => results[1].gross)),
    ],
    fees: [amounts(cells.map(({ results }) => results[0].fees)), amounts(cells.map(({ results }) => results[1].fees))],
    funding: funding.length === 0 ? null : amounts(funding),
  };
}

function activityOf(all: readonly Activity[]): Activity {
  return {
    fills: counts(all.map(({ fills }) => fills)),
    volume: amounts(all.map(({ volume }) => volume)),
    feesPaid: amounts(all.map(({ feesPaid }) => feesPaid)),
    rebates: amounts(all.map(({ rebates }) => rebates)),
  };
}

export function netOf({ gross, fees }: Sum, method: MethodIndex): Amount {
  return gross[method] - fees[method];
}

/** Fees of the fills as they happened, less rebates. */
export function feesOf({ feesPaid, rebates }: Activity): Amount {
  return feesPaid + rebates;
}

/** Fills whose result is not known. */
export function unknownIn({ blankCloses, untyped }: Sum): number {
  return blankCloses + untyped;
}

/** All fills are there, and the result of each is known. */
export function isWhole(sum: Sum): boolean {
  return unknownIn(sum) === 0 && sum.breaks === 0;
}

/** What an open position was opened for: positive for a long one, negative for a short one. */
export function signedValue({ lots }: Carried, method: MethodIndex): Amount {
  return lots[method].reduce((sum: Amount, { sign, value }: OpenLot) => sum + sign * value, 0n);
}

/** Opening fees of what is open. */
export function deferredIn({ lots }: Carried, method: MethodIndex): Amount {
  return lots[method].reduce((sum: Amount, { fee }: OpenLot) => sum + fee, 0n);
}

export function amounts(values: readonly Amount[]): Amount {
  return values.reduce((sum, value) => sum + value, 0n);
}

export function counts(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The first `limit` of a list, and how many are left out. */
export function firstOf<T>(
  values: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly left: number } {
  return { shown: values.slice(0, limit), left: Math.max(0, values.length - limit) };
}

/** A drawing of days, and its table, have so many of them at most. */
const MOST_DAYS = 400;

/** All of them, or else the last of each stretch of days; what `isKept` is there in any case. */
export function thinned<T>(days: readonly T[], isKept: (day: T) => boolean = () => false): readonly T[] {
  const every = Math.ceil(days.length / MOST_DAYS);
  return every <= 1
    ? days
    : days.filter((day, at) => isKept(day) || at % every === every - 1 || at === days.length - 1);
}

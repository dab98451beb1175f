import { type Amount, totalOf, ZERO } from "../core/amount.ts";
import type { Result } from "./booked.ts";
import { type Activity, LIQUIDITIES, type Liquidity, type MarketMonth } from "./statement.ts";

/**
 * The sum of some of a statement's market months. Its amounts are meaningful only if all are in one currency.
 */
export interface Sum
  extends Activity,
    Result,
    Pick<MarketMonth, "untyped" | "closes" | "blankCloses" | "breaks" | "cashFlow"> {
  readonly byLiquidity: Readonly<Record<Liquidity, Activity>>;
  /** Null: the user gave no file, so no market month has funding. */
  readonly funding: Amount | null;
}

export function sumOf(marketMonths: readonly MarketMonth[]): Sum {
  const by = (liquidity: Liquidity) => sumOfActivities(marketMonths.map(({ activity }) => activity[liquidity]));
  const byLiquidity = { maker: by("maker"), taker: by("taker"), other: by("other") };
  return {
    ...sumOfActivities(LIQUIDITIES.map((liquidity) => byLiquidity[liquidity])),
    byLiquidity,
    untyped: countOf(marketMonths, ({ untyped }) => untyped),
    closes: countOf(marketMonths, ({ closes }) => closes),
    blankCloses: countOf(marketMonths, ({ blankCloses }) => blankCloses),
    breaks: countOf(marketMonths, ({ breaks }) => breaks),
    cashFlow: totalOf(marketMonths, ({ cashFlow }) => cashFlow),
    gross: totalOf(marketMonths, ({ gross }) => gross),
    fees: totalOf(marketMonths, ({ fees }) => fees),
    funding: marketMonths.every(({ funding }) => funding === null)
      ? null
      : totalOf(marketMonths, ({ funding }) => funding ?? ZERO),
  };
}

function sumOfActivities(all: readonly Activity[]): Activity {
  return {
    fills: countOf(all, ({ fills }) => fills),
    volume: totalOf(all, ({ volume }) => volume),
    feesPaid: totalOf(all, ({ feesPaid }) => feesPaid),
    rebates: totalOf(all, ({ rebates }) => rebates),
  };
}

/** The amounts of a sum. Null: not known. */
export interface KnownSum extends Pick<Sum, "untyped" | "closes" | "blankCloses" | "breaks" | "funding"> {
  /** All fills, including those that cannot be classified. */
  readonly fills: number;
  readonly volume: Amount | null;
  readonly feesPaid: Amount | null;
  readonly rebates: Amount | null;
  /** Realised PnL before fees, the fees recognised with it, and the difference. */
  readonly gross: Amount | null;
  readonly fees: Amount | null;
  readonly net: Amount | null;
}

/** `hasFunding`: the user gave a file, so funding is 0 where there are no payments. */
export function knownSumOf(marketMonths: readonly MarketMonth[], hasFunding: boolean): KnownSum {
  const all = sumOf(marketMonths);
  const { fills, untyped, closes, blankCloses, breaks } = all;
  const paid = (amount: Amount) => (fills > 0 || untyped === 0 ? amount : null);
  const closed = (amount: Amount) => (closes > 0 || isWhole(all) ? amount : null);
  return {
    fills: fills + untyped,
    volume: paid(all.volume),
    feesPaid: paid(all.feesPaid),
    rebates: paid(all.rebates),
    gross: closed(all.gross),
    fees: closed(all.fees),
    net: closed(netOf(all)),
    untyped,
    closes,
    blankCloses,
    breaks,
    funding: hasFunding ? (all.funding ?? ZERO) : null,
  };
}

/** Everywhere the words beside a total to which more belongs that is not known. */
export const PARTIAL_TOTAL = "partial total";

/** True if no fills are missing and the result of every close is known. */
export function isWhole({
  blankCloses,
  untyped,
  breaks,
}: Pick<MarketMonth, "blankCloses" | "untyped" | "breaks">): boolean {
  return blankCloses === 0 && untyped === 0 && breaks === 0;
}

export function netOf({ gross, fees }: Result): Amount {
  return gross.minus(fees);
}

/** Fees when they were charged, less rebates. */
export function feesOf({ feesPaid, rebates }: Pick<Activity, "feesPaid" | "rebates">): Amount {
  return feesPaid.plus(rebates);
}

export function countOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Null if one of the two is not known. */
export function add(amount: Amount | null, other: Amount | null): Amount | null {
  return amount === null || other === null ? null : amount.plus(other);
}

/** Null if one of the two is not known. */
export function less(amount: Amount | null, other: Amount | null): Amount | null {
  return amount === null || other === null ? null : amount.minus(other);
}

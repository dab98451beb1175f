import type { PeriodMonth } from "../core/period.ts";
import type { TimeRange } from "../core/time.ts";
import type { DeclaredPosition } from "./booked.ts";

/** A time of a market whose fills are not all there, as the user declares. Its PnL is blank; the market starts anew from the position at its end. */
export interface Break {
  readonly market: string;
  /** ms UTC: the first fill that is missing counts then, or later. */
  readonly from: number;
  /** ms UTC: the declared position holds before the first fill at or after this time. May be the same as `from`. */
  readonly to: number;
  /** Signed, × 10^18. */
  readonly quantity: bigint;
  /** × 10^18; null: not known. */
  readonly price: bigint | null;
  /** What the user says that the break rests on: text for people. */
  readonly evidence: string;
}

export function byTimeAndMarket(a: Pick<Break, "from" | "market">, b: Pick<Break, "from" | "market">): number {
  return a.from - b.from || (a.market < b.market ? -1 : 1);
}

/** By time, then market. */
export function breaksOf(declared: readonly (DeclaredPosition & { readonly evidence: string })[]): Break[] {
  return declared
    .flatMap(({ market, quantity, price, asOf, breakFrom, evidence }) =>
      market === null || breakFrom === undefined
        ? []
        : [{ market, from: breakFrom, to: asOf, quantity, price, evidence }],
    )
    .sort(byTimeAndMarket);
}

/** Whether a break has a part in the period: the position at its end is not what the period begins with. */
export function isBrokenIn({ from, to }: Break, period: TimeRange): boolean {
  return from < period.to && to > period.from;
}

/** The months of a period in which a break has a part, and the month of a break between two fills. */
export function monthsBroken(one: Break, months: readonly PeriodMonth[]): readonly PeriodMonth[] {
  return months.filter((month) => isBrokenIn(one, month) || (one.from === one.to && one.from === month.from));
}

/**
 * What is declared for a market, by time: the lines that name it, or else those for all others. Those for all others also hold before the first
 * break of a market that is named by breaks alone.
 */
export function declarationsFor(declared: readonly DeclaredPosition[], market: string): DeclaredPosition[] {
  const own = declared.filter((one) => one.market === market);
  const since = Math.min(...own.map(({ breakFrom }) => breakFrom ?? Number.NEGATIVE_INFINITY));
  const others = declared.filter((one) => one.market === null && one.asOf <= since);
  return [...others, ...own].sort((a, b) => a.asOf - b.asOf);
}

import type { Amount } from "../core/amount.ts";
import type { PeriodMonth } from "../core/period.ts";
import type { TimeRange } from "../core/time.ts";
import type { DeclaredPosition } from "./booked.ts";

/**
 * A time in which some of a market's fills are missing, as the user declares. PnL is blank in it. The market
 * starts anew from the position at its end.
 */
export interface Break {
  readonly market: string;
  /** ms UTC. No fill before this time is missing. */
  readonly from: number;
  /** ms UTC. The declared position holds before the first fill at or after this time. It may equal `from`. */
  readonly to: number;
  /** Signed. */
  readonly quantity: Amount;
  /** Null: not known. */
  readonly price: Amount | null;
  /** The user's evidence for the break, as text for people. */
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

/**
 * Whether part of a break lies in the period. The position at its end is not an opening position of the
 * period.
 */
export function isBrokenIn({ from, to }: Break, period: TimeRange): boolean {
  return from < period.to && to > period.from;
}

/** The months of a period that contain part of a break. A break between two fills has one month. */
export function monthsBroken(one: Break, months: readonly PeriodMonth[]): readonly PeriodMonth[] {
  return months.filter((month) => isBrokenIn(one, month) || (one.from === one.to && one.from === month.from));
}

/**
 * The declarations for a market, by time: the lines that name it, else the lines for all others. If only
 * breaks name the market, the lines for all others also hold before its first break.
 */
export function declarationsFor(declared: readonly DeclaredPosition[], market: string): DeclaredPosition[] {
  const own = declared.filter((one) => one.market === market);
  const since = Math.min(...own.map(({ breakFrom }) => breakFrom ?? Number.NEGATIVE_INFINITY));
  const others = declared.filter((one) => one.market === null && one.asOf <= since);
  return [...others, ...own].sort((a, b) => a.asOf - b.asOf);
}

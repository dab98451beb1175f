import type { Fill } from "../model/fill.ts";
import type { Amount } from "./amount.ts";
import type { OpenLot } from "./cost-book.ts";
import type { MarketState } from "./market-book.ts";
import type { Method } from "./method.ts";
import type { Trade } from "./trade.ts";

/** Accounts that are as near as 10^-15 go on alike: what differs is the rounding of shares, at the 18th place. */
const NEAR: Amount = 10n ** 21n;

/** Fills of one time. */
export interface Instant {
  /** ms UTC */
  readonly time: number;
  readonly fills: readonly Fill[];
  /** It ends the batch: there may be more of them in the next. */
  readonly mayGoOn: boolean;
}

/** A batch, cut where the time moves on. */
export function* instantsOf(batch: readonly Fill[], timeOf: (fill: Fill) => number): Generator<Instant> {
  let fills: Fill[] = [];
  let time = 0;
  for (const fill of batch) {
    const own = timeOf(fill);
    if (fills.length > 0 && own !== time) {
      yield { time, fills, mayGoOn: false };
      fills = [];
    }
    time = own;
    fills.push(fill);
  }
  if (fills.length > 0) {
    yield { time, fills, mayGoOn: true };
  }
}

/** Whether the order of trades of one time can change a figure by more than the rounding of shares. `position`: before them, signed, × 10^18. */
export function canOrderMatter(trades: readonly Trade[], position: bigint, methods: readonly Method[]): boolean {
  const [first, ...others] = trades;
  if (first === undefined || others.length === 0) {
    return false;
  }
  // Where lots are named by their fills, any order can.
  if (methods.includes("specific") || others.some(({ sign }) => sign !== first.sign)) {
    return true;
  }
  // Trades of one side that only close take the same lots in any order, and trades on the same terms are one trade in parts.
  const isAllClosing = trades.reduce((sum, { quantity }) => sum + quantity, 0n) <= -first.sign * position;
  return !(isAllClosing || others.every((trade) => haveSameTerms(trade, first)));
}

function haveSameTerms(a: Trade, b: Trade): boolean {
  return a.price === b.price && a.fee * b.quantity === b.fee * a.quantity;
}

/** Whether two states of a market, whose positions are the same, go on alike under both methods. */
export function goOnAlike(a: MarketState, b: MarketState, methods: readonly Method[]): boolean {
  return methods.every((method, at) => {
    const [lots, others] = [a.lots[at] ?? [], b.lots[at] ?? []];
    const isPool = method === "average";
    return (
      lots.length === others.length &&
      lots.every((lot, index) => isAlike(lot, others[index], isPool, method === "specific"))
    );
  });
}

function isAlike(a: OpenLot, b: OpenLot | undefined, isPool: boolean, isNamed: boolean): boolean {
  return (
    b !== undefined &&
    a.quantity === b.quantity &&
    isNear(a.fee, b.fee) &&
    isNear(a.value, b.value) &&
    (isPool || a.opener.price === b.opener.price) &&
    (!isNamed || (a.opener.matchId === b.opener.matchId && a.opener.orderId === b.opener.orderId))
  );
}

function isNear(a: Amount, b: Amount): boolean {
  return -NEAR < a - b && a - b < NEAR;
}

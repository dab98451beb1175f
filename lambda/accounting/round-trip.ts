import type { Fill } from "../core/fill.ts";
import type { Amount } from "./amount.ts";
import type { RoundTrip } from "./booked.ts";
import type { Trade } from "./trade.ts";

/** A round trip that is not over. */
export interface Trip
  extends Pick<RoundTrip, "openedAt" | "fills" | "most" | "quantity" | "openValue" | "closeValue" | "fees"> {
  /** 1: long, -1: short */
  readonly sign: 1n | -1n;
  /** What is open of it, × 10^18. */
  readonly open: bigint;
  readonly first: Pick<Fill, "matchId" | "orderId">;
}

export function openTrip({ fill, time, sign }: Trade): Trip {
  const first = { matchId: fill.matchId, orderId: fill.orderId };
  return {
    openedAt: time,
    fills: 0,
    most: 0n,
    quantity: 0n,
    openValue: 0n,
    closeValue: 0n,
    fees: 0n,
    sign,
    open: 0n,
    first,
  };
}

/** A part of a fill: it opens more, or closes some. */
export function addToTrip(
  trip: Trip,
  { price }: Trade,
  { quantity, fee, opens }: { readonly quantity: bigint; readonly fee: Amount; readonly opens: boolean },
): Trip {
  const open = opens ? trip.open + quantity : trip.open - quantity;
  return {
    ...trip,
    fills: trip.fills + 1,
    open,
    most: open > trip.most ? open : trip.most,
    quantity: opens ? trip.quantity + quantity : trip.quantity,
    openValue: opens ? trip.openValue + quantity * price : trip.openValue,
    closeValue: opens ? trip.closeValue : trip.closeValue + quantity * price,
    fees: trip.fees + fee,
  };
}

/** `trade`: the fill that closed the last of it. */
export function closeTrip(trip: Trip, { market, currency, fill, time }: Trade): RoundTrip {
  const { openedAt, fills, most, quantity, openValue, closeValue, fees, sign, first } = trip;
  return {
    market,
    currency,
    side: sign === 1n ? "long" : "short",
    openedAt,
    closedAt: time,
    fills,
    most,
    quantity,
    openValue,
    closeValue,
    gross: sign * (closeValue - openValue),
    fees,
    first,
    last: { matchId: fill.matchId, orderId: fill.orderId },
  };
}

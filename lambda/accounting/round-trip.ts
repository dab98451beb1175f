import type { Amount } from "./amount.ts";
import type { RoundTrip } from "./booked.ts";
import { sideOf } from "./cost-book.ts";
import type { Trade } from "./trade.ts";

/** A round trip that has not ended. */
export interface Trip extends Omit<RoundTrip, "closedAt" | "gross" | "last"> {
  /** Its open quantity, × 10^18. */
  readonly open: bigint;
}

export function openTrip({ market, currency, fill, time, sign }: Trade): Trip {
  const { matchId, orderId } = fill;
  return {
    market,
    currency,
    side: sideOf(sign),
    openedAt: time,
    fills: 0,
    most: 0n,
    quantity: 0n,
    openValue: 0n,
    closeValue: 0n,
    fees: 0n,
    open: 0n,
    first: { matchId, orderId },
  };
}

/** Adds a part of a fill, which opens more or closes some. */
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

/** `trade`: the fill that closed the rest. */
export function closeTrip({ open: _, ...trip }: Trip, { fill, time }: Trade): RoundTrip {
  const { side, openValue, closeValue } = trip;
  const { matchId, orderId } = fill;
  const gross = side === "long" ? closeValue - openValue : openValue - closeValue;
  return { ...trip, closedAt: time, gross, last: { matchId, orderId } };
}

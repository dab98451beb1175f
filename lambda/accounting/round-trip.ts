import { type Amount, greatest, ZERO } from "../core/amount.ts";
import type { RoundTrip } from "./booked.ts";
import type { Trade } from "./trade.ts";

/** A round trip that has not ended. */
export interface Trip extends Omit<RoundTrip, "closedAt" | "gross" | "net" | "last"> {
  /** Its open quantity. */
  readonly open: Amount;
}

export function openTrip({ market, currency, fill, time, sign }: Trade): Trip {
  const { matchId, orderId } = fill;
  return {
    market,
    currency,
    side: sign === 1 ? "long" : "short",
    openedAt: time,
    fills: 0,
    declared: 0,
    most: ZERO,
    quantity: ZERO,
    openValue: ZERO,
    closeValue: ZERO,
    fees: ZERO,
    open: ZERO,
    first: { matchId, orderId },
  };
}

/** Adds a part of a fill, which opens more or closes some. */
export function addToTrip(
  trip: Trip,
  { price, fill }: Trade,
  { quantity, fee, opens }: { readonly quantity: Amount; readonly fee: Amount; readonly opens: boolean },
): Trip {
  const open = opens ? trip.open.plus(quantity) : trip.open.minus(quantity);
  const value = quantity.times(price);
  return {
    ...trip,
    fills: trip.fills + 1,
    declared: trip.declared + (fill.declared === undefined ? 0 : 1),
    open,
    most: greatest(open, trip.most),
    quantity: opens ? trip.quantity.plus(quantity) : trip.quantity,
    openValue: opens ? trip.openValue.plus(value) : trip.openValue,
    closeValue: opens ? trip.closeValue : trip.closeValue.plus(value),
    fees: trip.fees.plus(fee),
  };
}

/** `trade`: the fill that closed the rest. */
export function closeTrip({ open: _, ...trip }: Trip, { fill, time }: Trade): RoundTrip {
  const { side, openValue, closeValue, fees } = trip;
  const { matchId, orderId } = fill;
  const gross = side === "long" ? closeValue.minus(openValue) : openValue.minus(closeValue);
  return { ...trip, closedAt: time, gross, net: gross.minus(fees), last: { matchId, orderId } };
}

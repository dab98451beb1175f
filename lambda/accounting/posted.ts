import type { Amount } from "../core/amount.ts";
import { type Booked, isBlank, type Match, type Result } from "./booked.ts";
import type { Converted, Converter } from "./rates/converter.ts";
import type { Trade } from "./trade.ts";

/** A result in the currency of the tax return. All of it is converted at one time. */
export interface ConvertedResult extends Result, Omit<Converted, "amount"> {
  /** gross − fees */
  readonly net: Amount;
}

/** One match of a close, or a close whose PnL is not known. */
export interface Close {
  readonly own: Posted;
  readonly trade: Trade;
  /** Null: PnL is not known. */
  readonly match: Match | null;
  /** At the time of the close. Null: it is not known, or nothing is converted. */
  readonly converted: ConvertedResult | null;
}

/** A booked fill of an account, and what of it is converted: once, for all files of a pack. */
export interface Posted extends Booked {
  readonly account: string;
  readonly closes: readonly Close[];
  /** Null: it has no fee, or nothing is converted. */
  readonly convertedFee: Converted | null;
  /** At the time of its end. */
  readonly convertedTrip: ConvertedResult | null;
}

/** `converter`: null if nothing is converted. */
export function post(account: string, booked: Booked, converter: Converter | null): Posted {
  const { trade, realised, trip, time } = booked;
  const closes: Close[] = [];
  const hasFee = converter !== null && trade !== null && !trade.fee.isZero();
  const posted: Posted = {
    ...booked,
    account,
    closes,
    convertedFee: hasFee ? converter.convert(trade.fee, trade.currency, time) : null,
    convertedTrip: trip && converter && convertResult(converter, trip, trip.currency, trip.closedAt),
  };
  if (trade !== null) {
    for (const match of realised?.matches ?? []) {
      const { gross, openFee, closeFee } = match;
      const result = { gross, fees: openFee.plus(closeFee) };
      const converted = converter && convertResult(converter, result, trade.currency, time);
      closes.push({ own: posted, trade, match, converted });
    }
    if (isBlank(booked)) {
      closes.push({ own: posted, trade, match: null, converted: null });
    }
  }
  return posted;
}

function convertResult(converter: Converter, { gross, fees }: Result, currency: string, time: number): ConvertedResult {
  const { amount, ...rate } = converter.convert(gross, currency, time);
  const { amount: charged } = converter.convert(fees, currency, time);
  return { gross: amount, fees: charged, net: amount.minus(charged), ...rate };
}

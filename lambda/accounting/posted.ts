import { type Amount, signOf, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import { type Booked, isBlank, type Match, type Result } from "./booked.ts";
import type { Converted, Converter } from "./rates/converter.ts";
import type { Trade } from "./trade.ts";

/** A result in the currency of the tax return. All of it is converted at one time. */
export interface ConvertedResult extends Result, Omit<Converted, "amount"> {}

/** One match of a close, or a close whose PnL is not known. */
export interface Close {
  readonly own: Posted;
  /** What is known of the closing fill. Its price is null if it cannot be read as a trade. */
  readonly trade: Pick<Trade, "market" | "currency" | "sign"> & { readonly price: Amount | null };
  /** Null: PnL is not known. */
  readonly match: Match | null;
  /** At the time of the close. Null: it is not known, or nothing is converted. */
  readonly converted: ConvertedResult | null;
}

/** A booked fill, and what of it is converted: once, for all files of a pack. */
export interface Posted extends Booked {
  readonly closes: readonly Close[];
  /** What belongs in no total, because nobody says in which currency it is: the trade is without it. */
  readonly apart: Pick<Trade, "fee" | "value"> | null;
  /** Null: it has no fee, or nothing is converted. */
  readonly convertedFee: Converted | null;
  /** At the time of its end. */
  readonly convertedTrip: ConvertedResult | null;
}

/** `converter`: null if nothing is converted. */
export function post(booked: Booked, converter: Converter | null): Posted {
  const { realised, trip, time } = booked;
  const apart = booked.blank === "unsupported_contract_type" ? booked.trade : null;
  const trade = apart === null ? booked.trade : { ...apart, fee: ZERO, value: ZERO };
  const closes: Close[] = [];
  const hasFee = converter !== null && trade !== null && !trade.fee.isZero();
  const posted: Posted = {
    ...booked,
    trade,
    closes,
    apart,
    convertedFee: hasFee ? converter.convert(trade.fee, trade.currency, time) : null,
    convertedTrip: trip && converter && convertResult(converter, trip, trip.currency, trip.closedAt),
  };
  if (trade !== null) {
    for (const match of realised?.matches ?? []) {
      const converted = converter && convertResult(converter, match, trade.currency, time);
      closes.push({ own: posted, trade, match, converted });
    }
  }
  const unknown = trade === null ? unreadClose(booked) : isBlank(booked) && trade;
  if (unknown) {
    closes.push({ own: posted, trade: unknown, match: null, converted: null });
  }
  return posted;
}

/** A fill that cannot be read as a trade, if its side says that it closes something. */
function unreadClose({ fill: { market, side }, before }: Booked): Close["trade"] | null {
  const currency = quoteCurrencyOf(market);
  if (market === null || currency === null || (side !== "buy" && side !== "sell")) {
    return null;
  }
  const sign = side === "buy" ? 1 : -1;
  const closes = before === null || !(before.isZero() || signOf(before) === sign);
  return closes ? { market, currency, sign, price: null } : null;
}

function convertResult(
  converter: Converter,
  { gross, fees }: Pick<Result, "gross" | "fees">,
  currency: string,
  time: number,
): ConvertedResult {
  const { amount, ...rate } = converter.convert(gross, currency, time);
  const { amount: charged } = converter.convert(fees, currency, time);
  return { gross: amount, fees: charged, net: amount.minus(charged), ...rate };
}

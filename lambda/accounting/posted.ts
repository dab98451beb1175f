import { type Amount, type Sign, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import { type Booked, isBlank, type Match, type Result } from "./booked.ts";
import type { Converted, Converter } from "./rates/converter.ts";
import type { Trade } from "./trade.ts";

/** A result in the currency of the tax return. All of it is converted at one time. */
export interface ConvertedResult extends Result, Omit<Converted, "amount"> {}

/** One match of a close, or a close whose PnL is not known. */
export interface Close {
  readonly own: Posted;
  /** What is known of the closing fill: if it cannot be read as a trade, at most its market and currency, else "". */
  readonly trade: Pick<Trade, "market" | "currency"> & { readonly sign: Sign | null; readonly price: Amount | null };
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
  if (isBlank(booked)) {
    const { market } = booked.fill;
    const unread = { market: market ?? "", currency: quoteCurrencyOf(market) ?? "", sign: null, price: null };
    closes.push({ own: posted, trade: trade ?? unread, match: null, converted: null });
  }
  return posted;
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

import { type Amount, type Sign, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import { FIELD_NAMES, type Fill } from "../core/fill.ts";
import type { FillRow } from "../formats/fill-columns.ts";

/** A fill that can be booked. */
export interface Trade {
  readonly fill: Fill;
  /** The time at which it counts, ms UTC. */
  readonly time: number;
  readonly market: string;
  /** The settlement currency: the market's quote currency. */
  readonly currency: string;
  /** 1 for a buy, -1 for a sell. */
  readonly sign: Sign;
  /** Above zero. */
  readonly quantity: Amount;
  /** Not below zero: something may have become worth nothing. */
  readonly price: Amount;
  /** quantity × price */
  readonly value: Amount;
  /** Positive: paid. Negative: a rebate. */
  readonly fee: Amount;
}

/** The fill as a trade. Null: a value is missing or cannot be calculated with. */
export function tradeOf(row: FillRow, time: number): Trade | null {
  const { fill, quantity, price, fee, notional: value } = row;
  const { market, side, extra } = fill;
  // The fill time could not be read, so the fill's place among the others is not known.
  if (extra !== null && Object.hasOwn(extra, FIELD_NAMES.filledAt)) {
    return null;
  }
  const currency = quoteCurrencyOf(market);
  if (market === null || currency === null || quantity === null || price === null || value === null || fee === null) {
    return null;
  }
  if ((side !== "buy" && side !== "sell") || quantity.lte(ZERO) || price.lt(ZERO)) {
    return null;
  }
  const sign = side === "buy" ? 1 : -1;
  return { fill, time, market, currency, sign, quantity, price, value, fee };
}

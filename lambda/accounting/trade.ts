import { parseDecimal } from "../core/decimal.ts";
import { FIELD_NAMES, type Fill } from "../core/fill.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { type Amount, amountOf } from "./amount.ts";

/** A fill that can be booked. */
export interface Trade {
  readonly fill: Fill;
  /** The time at which it counts, ms UTC. */
  readonly time: number;
  readonly market: string;
  /** The settlement currency: the market's quote currency. */
  readonly currency: string;
  /** 1 for a buy, -1 for a sell. */
  readonly sign: 1n | -1n;
  /** × 10^18, above zero */
  readonly quantity: bigint;
  /** × 10^18, above zero */
  readonly price: bigint;
  /** quantity × price */
  readonly value: Amount;
  /** Positive: paid. Negative: a rebate. */
  readonly fee: Amount;
}

/** The fill as a trade. Null: a value is missing or cannot be calculated with. */
export function tradeOf(fill: Fill, time: number): Trade | null {
  const { market, side, extra } = fill;
  // The fill time could not be read, so the fill's place among the others is not known.
  if (extra !== null && Object.hasOwn(extra, FIELD_NAMES.filledAt)) {
    return null;
  }
  const currency = quoteCurrencyOf(market);
  const quantity = unitsOf(fill.quantity);
  const price = unitsOf(fill.price);
  const fee = unitsOf(fill.fee);
  if (market === null || currency === null || quantity === null || price === null || fee === null) {
    return null;
  }
  if ((side !== "buy" && side !== "sell") || quantity <= 0n || price <= 0n) {
    return null;
  }
  const sign = side === "buy" ? 1n : -1n;
  return { fill, time, market, currency, sign, quantity, price, value: quantity * price, fee: amountOf(fee) };
}

function unitsOf(text: string | null): bigint | null {
  return text === null ? null : (parseDecimal(text)?.units ?? null);
}

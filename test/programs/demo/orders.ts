import { type Amount, fixed, rounded, tenTo, wholeNumber } from "../../../lambda/core/amount.ts";
import { ulid, uuid } from "../../emulator/history.ts";
import type { MarketFacts } from "../../emulator/market-facts.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { exactly } from "../../support/amounts.ts";
import type { Prng } from "../../support/prng.ts";

/**
 * How an order is filled. `limit` rests in the book and is filled at its price as a maker. `market` and `stop`
 * take from the book. `liquidation` is made by the venue, with many fills at worse and worse prices.
 */
export type OrderKind = "limit" | "market" | "stop" | "liquidation";

export interface TradedMarket extends MarketFacts {
  /** Digits after the decimal point of a quantity: a lot is one of the last. */
  readonly lotDigits: number;
}

/** An order that is filled within minutes. */
export interface Order {
  readonly market: TradedMarket;
  readonly timeMs: number;
  readonly kind: OrderKind;
  /** Positive for a purchase, negative for a sale. */
  readonly lots: number;
  /** The limit price; for the other kinds, the middle price when the order begins. */
  readonly price: number;
}

/** Of each kind: the fewest and the most fills, the longest time between two, ms, and how much worse each price is. */
const MANNERS: Readonly<Record<OrderKind, readonly [least: number, most: number, gapMs: number, slip: number]>> = {
  limit: [1, 5, 45_000, 0],
  market: [1, 3, 30, 0.000_03],
  stop: [1, 4, 40, 0.000_08],
  liquidation: [24, 48, 150, 0.000_35],
};
const HALF_SPREAD = 0.0001;
/** A taker pays 0.05 % of the notional; a maker receives 0.01 %. */
const [TAKER_FEE, MAKER_FEE] = [exactly("0.0005"), exactly("-0.0001")];

/** The fills of an order as the service returns them, oldest first. */
export function fillsOf({ market, kind, lots, price, timeMs }: Order, draw: Prng): CompletedOrder[] {
  const [least, most, gapMs, slip] = MANNERS[kind];
  const isMaker = kind === "limit";
  const side = Math.sign(lots);
  let time = timeMs + 1000 + draw.int(60_000);
  const orderId = ulid(time, draw);
  const count = Math.min(Math.abs(lots), least + draw.int(most - least + 1));
  const about = {
    fillType: kind === "liquidation" ? "liquidation" : "complete",
    triggerType: kind === "stop" ? "stop-loss" : "none",
    triggerPrice: kind === "stop" ? priceText(price, market) : "0",
  };
  return splitLots(Math.abs(lots), count, draw).map((part, at) => {
    const worse = isMaker ? 0 : side * (HALF_SPREAD + slip * at);
    time += at === 0 ? 0 : 1 + draw.int(gapMs);
    const shown = priceText(price * (1 + worse), market);
    const quantity = fixed(scaled(part, market.lotDigits), market.lotDigits);
    const fee = exactly(shown)
      .times(exactly(quantity))
      .times(isMaker ? MAKER_FEE : TAKER_FEE);
    return {
      market: market.name,
      matchId: uuid(draw),
      orderId,
      orderType: side > 0 ? "buy" : "sell",
      executionType: isMaker ? "maker" : "taker",
      price: shown,
      quantity,
      tradeType: isMaker ? "limit" : "market",
      txCreated: time,
      fees: fixed(rounded(fee, market.feeDigits), market.feeDigits),
      ...about,
      transactionHash: `0x${Array.from({ length: 8 }, () => draw.word().toString(16).padStart(8, "0")).join("")}`,
      filledAt: time + 1 + draw.int(20),
    };
  });
}

/** `units` of the last of so many digits. */
export function scaled(units: number, digits: number): Amount {
  return wholeNumber(units).times(tenTo(-digits));
}

/** The nearest valid price of the market. */
export function priceText(price: number, { priceDigits, tick }: MarketFacts): string {
  const units = Math.round((price * 10 ** priceDigits) / tick) * tick;
  return fixed(scaled(units, priceDigits), priceDigits);
}

/** Splits an order into `count` fills of at least one lot. */
function splitLots(lots: number, count: number, draw: Prng): number[] {
  const parts: number[] = [];
  let left = lots;
  for (let after = count - 1; after > 0; after -= 1) {
    const share = (left / (after + 1)) * (0.4 + 1.2 * draw.next());
    const part = Math.min(left - after, Math.max(1, Math.round(share)));
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

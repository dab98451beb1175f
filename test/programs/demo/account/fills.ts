import { fixed } from "../../../../lambda/core/amount.ts";
import { type Rational, rational, roundHalfEven } from "../../../accounting/rational.ts";
import { ulid, uuid } from "../../../emulator/history.ts";
import type { CompletedOrder } from "../../../emulator/wire.ts";
import { amountOf } from "../../../support/amounts.ts";
import { hash32, type Prng, prng } from "../../../support/prng.ts";
import { STEP_MS, YEAR_FROM_MS } from "./calendar.ts";
import type { TradedMarket } from "./markets.ts";
import type { Order, OrderKind } from "./trader.ts";

/**
 * Fees in hundredths of a percent of the notional: a taker pays 5, a maker receives 1, as in
 * test/emulator/history.ts.
 */
const TAKER_FEE = 5n;
const MAKER_FEE = -1n;

interface Manner {
  readonly mostFills: number;
  readonly leastFills: number;
  /** Longest time between two fills, ms. All fills of an order lie within its step. */
  readonly gapMs: number;
  /** How much worse each fill's price is than the previous one's, as a share. */
  readonly slip: number;
  readonly isMaker: boolean;
}

const MANNERS: Readonly<Record<OrderKind, Manner>> = {
  limit: { leastFills: 1, mostFills: 5, gapMs: 45_000, slip: 0, isMaker: true },
  market: { leastFills: 1, mostFills: 3, gapMs: 30, slip: 0.000_03, isMaker: false },
  stop: { leastFills: 1, mostFills: 4, gapMs: 40, slip: 0.000_08, isMaker: false },
  liquidation: { leastFills: 24, mostFills: 48, gapMs: 150, slip: 0.000_35, isMaker: false },
};

/** The fills of an order as the service returns them, oldest first. `index` is unique to the order. */
export function fillsOf(order: Order, seed: number, index: number): CompletedOrder[] {
  const { market, kind, lots } = order;
  const draw = prng(hash32(seed, index));
  const manner = MANNERS[kind];
  const side = Math.sign(lots);
  let time = YEAR_FROM_MS + order.step * STEP_MS + 1000 + draw.int(60_000);
  const orderId = ulid(time, draw);
  const delayMs = 1 + draw.int(20);
  const trigger = triggerOf(order);
  return splitLots(Math.abs(lots), manner, draw).map((part, at) => {
    const offset = manner.isMaker ? 0 : side * (market.halfSpread + manner.slip * at);
    const price = ticksOf(order.price * (1 + offset), market);
    time += at === 0 ? 0 : 1 + draw.int(manner.gapMs);
    const quantity = BigInt(part);
    return {
      market: market.name,
      matchId: uuid(draw),
      orderId,
      orderType: side > 0 ? "buy" : "sell",
      executionType: manner.isMaker ? "maker" : "taker",
      fillType: kind === "liquidation" ? "liquidation" : "complete",
      price: decimalText(price, market.priceDigits),
      quantity: decimalText(quantity, market.lotDigits),
      tradeType: manner.isMaker ? "limit" : "market",
      txCreated: time,
      fees: feeText(price * quantity, manner, market),
      ...trigger,
      transactionHash: `0x${transactionHash(draw)}`,
      filledAt: time + delayMs,
    };
  });
}

function triggerOf({ kind, price, market }: Order): { triggerType: string; triggerPrice: string } {
  return kind === "stop"
    ? { triggerType: "stop-loss", triggerPrice: decimalText(ticksOf(price, market), market.priceDigits) }
    : { triggerType: "none", triggerPrice: "0" };
}

/** Splits an order into fills of at least one lot. */
function splitLots(lots: number, { leastFills, mostFills }: Manner, draw: Prng): number[] {
  const count = Math.min(lots, leastFills + draw.int(mostFills - leastFills + 1));
  const parts: number[] = [];
  let left = lots;
  for (let after = count - 1; after > 0; after--) {
    const share = (left / (after + 1)) * (0.4 + 1.2 * draw.next());
    const part = Math.min(left - after, Math.max(1, Math.round(share)));
    parts.push(part);
    left -= part;
  }
  return [...parts, left];
}

/** The nearest valid price of the market, × 10^priceDigits. */
function ticksOf(price: number, { priceDigits, tick }: TradedMarket): bigint {
  return BigInt(Math.round((price * 10 ** priceDigits) / tick) * tick);
}

/** The fee. `notional` is × 10^(priceDigits + lotDigits). */
function feeText(notional: bigint, { isMaker }: Manner, market: TradedMarket): string {
  const digits = market.priceDigits + market.lotDigits + 4;
  const fee = rational(notional * (isMaker ? MAKER_FEE : TAKER_FEE), 10n ** BigInt(digits));
  return nearestText(fee, market.feeDigits);
}

/** `units` of the last digit as a decimal text with `digits` digits after the point. */
export function decimalText(units: bigint, digits: number): string {
  return nearestText(rational(units, 10n ** BigInt(digits)), digits);
}

/** Rounded half even, with all its digits after the point. */
export function nearestText(value: Rational, digits: number): string {
  return fixed(amountOf(roundHalfEven(value, digits)), digits);
}

function transactionHash(draw: Prng): string {
  return Array.from({ length: 8 }, () => draw.word().toString(16).padStart(8, "0")).join("");
}

import { DAY_MS } from "../../lambda/core/time.ts";
import { hash32, type Prng, prng, share } from "../support/prng.ts";
import { type HistoryOptions, type PlannedFill, planHistory } from "./history-plan.ts";
import type { CompletedOrder } from "./wire.ts";

/**
 * An account's fills, by index in ascending `txCreated`. Items are created on request, so a million fills
 * need memory only for their times. The same index gives the same item.
 */
export interface History {
  readonly count: number;
  readonly markets: readonly string[];
  /** txCreated by index, ascending, ms. A million take 8 MB. */
  readonly times: Float64Array;
  /** A new object for each call, with its fields in the interface's order (2.2). */
  item(index: number): CompletedOrder;
  /** A time (ms) that the service knows of the fill, but may not show. */
  filledAt(index: number): number;
}

/** An account generated from a seed. */
export function makeHistory(options: HistoryOptions): History {
  const plan = planHistory(options);
  const markets = MARKETS.slice(0, options.markets ?? MARKETS.length);
  const at = (index: number): PlannedFill => plan[index] ?? fail(index, plan.length);
  return {
    count: plan.length,
    markets: markets.map((market) => market.name),
    times: Float64Array.from(plan, ({ time }) => time),
    item: (index) => makeItem(options, at(index), markets, index),
    filledAt: (index) => filledTime(options.seed, at(index).time, index),
  };
}

function fail(index: number, count: number): never {
  throw new RangeError(`no item ${index} in a history of ${count}`);
}

/**
 * An account of the given items, for tests with hand-written rows. The items are sorted by `txCreated`; the
 * sort is stable.
 */
export function historyOf(items: readonly CompletedOrder[]): History {
  const sorted = items.toSorted((a, b) => a.txCreated - b.txCreated);
  const at = (index: number): CompletedOrder => sorted[index] ?? fail(index, sorted.length);
  return {
    count: sorted.length,
    markets: [...new Set(sorted.map((item) => item.market))],
    times: Float64Array.from(sorted, (item) => item.txCreated),
    item: (index) => ({ ...at(index) }),
    filledAt: (index) => at(index).filledAt ?? at(index).txCreated,
  };
}

/** Yields the items of the indices `[from, to)`. */
export function* historyItems(history: History, from = 0, to = history.count): Generator<CompletedOrder> {
  for (let index = from; index < to; index++) {
    yield history.item(index);
  }
}

function makeItem(
  options: HistoryOptions,
  { time: txCreated, order, match }: PlannedFill,
  markets: readonly MarketFacts[],
  index: number,
): CompletedOrder {
  const { seed } = options;
  const facts = markets[order.market % markets.length] as MarketFacts;
  const ofMatch = prng(hash32(seed, match, 1)); // both sides of a self-trade draw the same values
  const matchId = uuid(ofMatch);
  const price = priceOf(facts, txCreated, ofMatch);
  const quantity = quantityOf(facts, ofMatch);
  const transactionHash = `0x${hex(ofMatch, 8)}`;
  const kind = kindOf(options, order.number);
  const maker = kind.tradeType === "limit" && share(seed, match, 2, order.isBuy ? 1 : 0) < 0.6;
  const item = {
    market: facts.name,
    matchId,
    orderId: ulid(order.time, prng(hash32(seed, order.number, 3))),
    orderType: order.isBuy ? "buy" : "sell",
    executionType: maker ? "maker" : "taker",
    fillType: kind.fillType,
    price,
    quantity,
    tradeType: kind.tradeType,
    txCreated,
    fees: feesOf(facts, price, quantity, maker),
    triggerType: kind.triggerType,
    triggerPrice: kind.triggerType === "none" ? "0" : price,
    transactionHash,
  };
  return showsFilledAt(options, index, txCreated) ? { ...item, filledAt: filledTime(seed, txCreated, index) } : item;
}

function showsFilledAt(options: HistoryOptions, index: number, txCreated: number): boolean {
  const kind = options.filledAt ?? "mixed";
  if (kind !== "mixed") {
    return kind === "all";
  }
  const sinceMs = options.from + (options.to - options.from) * 0.3;
  const exception = share(options.seed, index, 4) < 0.02;
  return txCreated >= sinceMs !== exception;
}

/**
 * `filledAt` is usually a few ms after `txCreated`, sometimes seconds after it, rarely before it. A fill in
 * the last ms of a day always has its `filledAt` in the next day.
 */
function filledTime(seed: number, txCreated: number, index: number): number {
  const kind = share(seed, index, 5);
  const size = share(seed, index, 6);
  const lastOfDay = (txCreated + 1) % DAY_MS === 0;
  let delayMs = 1 + Math.floor(size * 40);
  if (kind < 0.01 && !lastOfDay) {
    delayMs = -Math.floor(size * 4);
  } else if (kind < 0.03) {
    delayMs = 1000 + Math.floor(size * 20_000);
  }
  return txCreated + delayMs;
}

const UNLISTED: readonly { fillType: string; tradeType: string; triggerType: string }[] = [
  { fillType: "complete", tradeType: "market", triggerType: "stop-loss" },
  { fillType: "complete", tradeType: "limit", triggerType: "take-profit" },
  { fillType: "partial", tradeType: "limit", triggerType: "none" },
  { fillType: "liquidation", tradeType: "market", triggerType: "none" },
  { fillType: "complete", tradeType: "stop-limit", triggerType: "price" },
];

function kindOf(options: HistoryOptions, order: number): { fillType: string; tradeType: string; triggerType: string } {
  const unlisted = UNLISTED[hash32(options.seed, order, 9) % UNLISTED.length];
  if (unlisted !== undefined && share(options.seed, order, 8) < (options.unlisted ?? 0.005)) {
    return unlisted;
  }
  return {
    fillType: "complete",
    tradeType: share(options.seed, order, 10) < 0.7 ? "limit" : "market",
    triggerType: "none",
  };
}

/**
 * A slow wave over the weeks, plus noise, in whole ticks. The last digits are therefore often zeros, which
 * the text keeps.
 */
function priceOf(facts: MarketFacts, timeMs: number, draw: Prng): string {
  const wave = Math.sin(timeMs / (37 * DAY_MS)) * 0.25 + Math.sin(timeMs / (5 * DAY_MS)) * 0.05;
  const value = facts.price * (1 + wave + (draw.next() - 0.5) * 0.01);
  const unit = 10 ** facts.priceDigits;
  const ticks = Math.max(1, Math.round((value * unit) / facts.tick)) * facts.tick;
  return scaled(ticks, facts.priceDigits);
}

/**
 * From a hundredth to a hundred times the market's usual size. For markets with 18 digits, every digit is
 * drawn.
 */
function quantityOf(facts: MarketFacts, draw: Prng): string {
  const value = facts.quantity * 10 ** (draw.next() * 4 - 2);
  if (facts.quantityDigits === 18) {
    const fraction = String(draw.int(1e9)).padStart(9, "0") + String(draw.int(1e9)).padStart(9, "0");
    return `${Math.floor(value)}.${fraction}`;
  }
  const text = scaled(Math.max(1, Math.round(value * 10 ** facts.quantityDigits)), facts.quantityDigits);
  return facts.trims && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A taker pays 5 basis points; a maker receives 1. */
function feesOf(facts: MarketFacts, price: string, quantity: string, maker: boolean): string {
  return (Number(price) * Number(quantity) * (maker ? -0.0001 : 0.0005)).toFixed(facts.feeDigits);
}

function scaled(units: number, digits: number): string {
  if (digits === 0) {
    return String(units);
  }
  const text = String(units).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function hex(draw: Prng, words: number): string {
  let text = "";
  for (let word = 0; word < words; word++) {
    text += draw.word().toString(16).padStart(8, "0");
  }
  return text;
}

/** RFC 9562 version 4, from the seed. */
function uuid(draw: Prng): string {
  const text = hex(draw, 4);
  const variant = "89ab"[Number.parseInt(text.charAt(16), 16) % 4] ?? "8";
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`;
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: 10 characters for the ms and 16 drawn ones. ULIDs sort by time. */
function ulid(timeMs: number, draw: Prng): string {
  let text = "";
  for (let rest = timeMs, at = 0; at < 10; at++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  for (let at = 0; at < 16; at++) {
    text += CROCKFORD.charAt(draw.int(32));
  }
  return text;
}

/**
 * Twenty markets in both quote currencies. The first ones have most of the volume. `price` is approximate, `quantity`
 * the usual size of a fill, `tick` in units of the last digit; `priceDigits` and `quantityDigits` are those after the
 * decimal point; `trims`: quantities are written without trailing zeros.
 */
export const MARKETS = (
  [
    ["BTC-USD", 60_000, 2, 50, 0.2, 4, 8, false],
    ["ETH-USD", 3000, 2, 10, 2, 4, 8, false],
    ["BTC-USDT", 60_100, 1, 5, 0.1, 8, 10, true],
    ["SOL-USD", 150, 3, 1, 20, 2, 6, false],
    ["ETH-USDT", 3005, 2, 1, 1, 18, 18, false],
    ["XRP-USD", 0.55, 5, 10, 2000, 0, 6, false],
    ["DOGE-USD", 0.12, 6, 1, 9000, 0, 8, false],
    ["AVAX-USD", 35, 3, 5, 40, 1, 6, false],
    ["LINK-USD", 14, 4, 1, 100, 2, 6, true],
    ["LTC-USDT", 80, 2, 1, 10, 3, 8, false],
    ["ADA-USD", 0.4, 5, 1, 5000, 1, 6, false],
    ["DOT-USD", 6, 4, 5, 200, 2, 6, false],
    ["ATOM-USD", 8, 4, 1, 150, 3, 8, true],
    ["NEAR-USD", 5, 4, 1, 300, 1, 6, false],
    ["UNI-USDT", 9, 3, 5, 90, 4, 12, false],
    ["1000PEPE-USD", 0.009, 8, 1, 200_000, 0, 10, false],
    ["SHIB-USDT", 0.000_021, 12, 100, 40_000_000, 0, 12, false],
    ["BONK-USD", 0.000_02, 15, 1, 5_000_000, 1, 18, false],
    ["MKR-USD", 2500, 1, 5, 0.05, 18, 18, false],
    ["XAU-USD", 2400, 2, 1, 0.01, 6, 8, false],
  ] as const
).map(([name, price, priceDigits, tick, quantity, quantityDigits, feeDigits, trims]) => ({
  name,
  price,
  priceDigits,
  tick,
  quantity,
  quantityDigits,
  feeDigits,
  trims,
}));

/** A market of the emulated service, and the form of its amounts. */
export type MarketFacts = (typeof MARKETS)[number];

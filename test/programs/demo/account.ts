import { HOUR_MS } from "../../../lambda/core/time.ts";
import { type History, historyOf } from "../../emulator/history.ts";
import { MARKETS } from "../../emulator/market-facts.ts";
import { hash32, type Prng, prng } from "../../support/prng.ts";
import { fillsOf, type Order, type OrderKind, type TradedMarket } from "./orders.ts";

/** A year of a plausible account, in hours from its first moment. */
export const YEAR_FROM_MS = Date.UTC(2025, 0, 1);
const HOURS = 365 * 24;
const SEED = 303;

export interface DemoAccount {
  readonly history: History;
  readonly orders: readonly Order[];
  /** The middle price of each market by hour: binary floats, of which no amount is calculated directly. */
  readonly prices: ReadonlyMap<string, Float64Array>;
  /** Open positions at the end of the year, in lots, by market. */
  readonly open: ReadonlyMap<string, number>;
}

/** How the account trades a market, whose price moves with all crypto markets and by itself. */
interface Plan {
  readonly market: TradedMarket;
  /** The market's share in the common moves, and its own volatility as a share of theirs. */
  readonly beta: number;
  readonly own: number;
  /** An order's size is a multiple of this many lots. */
  readonly clipLots: number;
  /** Approximate amount of a position, in the quote currency. */
  readonly amount: number;
  /** How often a position is opened in an hour of work, and how many hours it is held at most. */
  readonly eagerness: number;
  readonly mostHours: number;
  /** Whether the year's last position stays open. */
  readonly staysOpen: boolean;
}

type Row = readonly [string, number, number, number, number, number, number, number, boolean];

const DESK: readonly Plan[] = (
  [
    // lot digits, beta, own, clip, amount, eagerness, most hours, stays open
    ["BTC-USD", 3, 1, 0.25, 50, 60_000, 0.05, 72, false],
    ["ETH-USD", 2, 1.2, 0.45, 50, 50_000, 0.05, 96, true],
    ["SOL-USD", 1, 1.4, 0.7, 50, 40_000, 0.05, 96, false],
    ["BTC-USDT", 3, 1, 0.25, 20, 20_000, 0.14, 4, false],
    ["ETH-USDT", 2, 1.2, 0.45, 20, 15_000, 0.14, 4, false],
    ["XRP-USD", 0, 1.1, 0.8, 500, 15_000, 0.05, 48, false],
    ["LTC-USDT", 2, 1, 0.6, 500, 12_000, 0.05, 48, false],
    ["AVAX-USD", 1, 1.4, 0.7, 100, 30_000, 0.03, 400, true],
    ["LINK-USD", 1, 1.3, 0.7, 250, 20_000, 0.03, 300, false],
    ["DOGE-USD", 0, 1.3, 0.9, 1000, 4000, 0.015, 3, false],
    ["XAU-USD", 2, 0, 0.4, 50, 30_000, 0.05, 72, false],
  ] as readonly Row[]
).map(([name, lotDigits, beta, own, clipLots, amount, eagerness, mostHours, staysOpen]) => {
  const facts = MARKETS.find((market) => market.name === name);
  if (facts === undefined) {
    throw new RangeError(`the service has no market ${name}`);
  }
  return { market: { ...facts, lotDigits }, beta, own, clipLots, amount, eagerness, mostHours, staysOpen };
});

/**
 * All markets of the demo's service, in the order of its specifications. Every fourth market from the second on
 * has no contract type (test/emulator/specifications.ts); the account does not trade these. The seventh,
 * DOGE-USD, is the only one that is not linear.
 */
const SERVICE_MARKETS: readonly string[] = [
  ...["BTC-USD", "ADA-USD", "ETH-USD", "BTC-USDT", "SOL-USD", "DOT-USD", "DOGE-USD", "ETH-USDT", "XRP-USD"],
  ...["ATOM-USD", "AVAX-USD", "LINK-USD", "LTC-USDT", "NEAR-USD", "XAU-USD", "UNI-USDT", "1000PEPE-USD"],
  ...["BONK-USD", "SHIB-USDT", "MKR-USD"],
];

/** The same account on every machine: only sums, products and square roots. */
export function makeDemoAccount(): DemoAccount {
  const common = walk(0.0065, prng(hash32(SEED, 1)));
  // The crash of the year.
  [-0.13, 0.035, -0.02, 0.015].forEach((move, at) => {
    common[hourOf("2025-10-10T20:00:00Z") + at] = move;
  });
  const desk = DESK.map((plan, index) => {
    const own = walk(0.0065 * plan.own, prng(hash32(SEED, 2, index)));
    let price = plan.market.price;
    const prices = own.map((move, hour) => {
      price *= 1 + plan.beta * (common[hour] ?? 0) + move + 0.0004 * (plan.market.price / price - 1);
      return price;
    });
    return { name: plan.market.name, prices, orders: trade(plan, prices, prng(hash32(SEED, 3, index))) };
  });
  const orders = desk.flatMap((one) => one.orders);
  const open = desk.map(({ name, orders: own }) => [name, own.reduce((sum, { lots }) => sum + lots, 0)] as const);
  return {
    history: {
      ...historyOf(orders.flatMap((order, index) => fillsOf(order, prng(hash32(SEED, 4, index))))),
      markets: SERVICE_MARKETS,
    },
    orders,
    prices: new Map(desk.map(({ name, prices }) => [name, prices])),
    open: new Map(open.filter(([, lots]) => lots !== 0)),
  };
}

function hourOf(time: string): number {
  return (Date.parse(time) - YEAR_FROM_MS) / HOUR_MS;
}

/** Moves by hour, about normal, with weeks that have a trend. */
function walk(volatility: number, draw: Prng): Float64Array {
  let trend = 0;
  return Float64Array.from({ length: HOURS }, (_, hour) => {
    trend = hour % (7 * 24) === 0 ? (draw.next() - 0.5) * volatility * 0.2 : trend;
    return trend + volatility * (draw.next() + draw.next() + draw.next() + draw.next() - 2) * Math.sqrt(3);
  });
}

const LAST_ENTRY_HOUR = hourOf("2025-12-18T00:00:00Z");
const HOLIDAYS = [
  ["2025-03-10", "2025-03-15"],
  ["2025-08-04", "2025-08-16"],
] as const;

/** Whether the account trades in this hour: New York's hours, no weekend and no holiday. */
function isWork(hour: number): boolean {
  const time = new Date(YEAR_FROM_MS + hour * HOUR_MS);
  const isAway = HOLIDAYS.some(([from, to]) => hour >= hourOf(from) && hour < hourOf(to));
  return time.getUTCDay() % 6 !== 0 && time.getUTCHours() >= 13 && time.getUTCHours() <= 20 && !isAway;
}

/** One position after the other. */
function trade(plan: Plan, prices: Float64Array, draw: Prng): readonly Order[] {
  const orders: Order[] = [];
  let hour = 24;
  while (hour < LAST_ENTRY_HOUR) {
    if (isWork(hour) && draw.next() < plan.eagerness) {
      const position = new Position(plan, prices, draw, hour);
      orders.push(...position.orders);
      hour = position.end;
    } else {
      hour += 1;
    }
  }
  return orders;
}

/** Opened usually with the last day's move, in up to three orders, and closed in one or two. */
class Position {
  readonly orders: Order[] = [];
  /** The hour after it is closed; infinity: it stays open. */
  readonly end: number;
  readonly #plan: Plan;
  readonly #prices: Float64Array;
  #lots = 0;

  constructor(plan: Plan, prices: Float64Array, draw: Prng, from: number) {
    this.#plan = plan;
    this.#prices = prices;
    const first = this.#price(from);
    const isUp = first > this.#price(from - 24);
    const side = isUp === draw.next() < 0.6 ? 1 : -1;
    const entries = 1 + draw.int(3);
    const clip = (first * plan.clipLots) / 10 ** plan.market.lotDigits;
    const clips = Math.max(1, Math.round((plan.amount * (0.6 + draw.next())) / entries / clip));
    const until = from + 1 + draw.int(plan.mostHours);
    const range = 0.012 * Math.sqrt(1 + plan.mostHours / 8) * (0.7 + 0.6 * draw.next());
    let hour = from;
    for (; hour < from + entries; hour += 1) {
      this.#order(hour, side * clips * plan.clipLots, draw.next() < 0.5 ? "limit" : "market");
    }
    const staysOpen = plan.staysOpen && until >= LAST_ENTRY_HOUR - 24;
    for (; this.#lots !== 0 && !staysOpen; hour += 1) {
      this.#exit(hour, side, first, range, hour >= until, draw);
    }
    this.end = staysOpen ? Number.POSITIVE_INFINITY : hour;
  }

  #exit(hour: number, side: number, first: number, range: number, isDue: boolean, draw: Prng): void {
    const gain = side * (this.#price(hour) / first - 1);
    if (side * (this.#price(hour) / this.#price(hour - 1) - 1) < -0.08) {
      this.#order(hour, -this.#lots, "liquidation");
    } else if (Math.abs(gain) >= range) {
      const atRange = first * (1 + side * Math.sign(gain) * range);
      this.#order(hour, -this.#lots, gain < 0 ? "stop" : "limit", atRange);
    } else if (isDue) {
      const { clipLots } = this.#plan;
      const half = draw.next() < 0.3 ? Math.trunc(this.#lots / 2 / clipLots) * clipLots : 0;
      this.#order(hour, half === 0 ? -this.#lots : -half, "market");
    }
  }

  #order(hour: number, lots: number, kind: OrderKind, price = this.#price(hour)): void {
    this.orders.push({ market: this.#plan.market, timeMs: YEAR_FROM_MS + hour * HOUR_MS, lots, kind, price });
    this.#lots += lots;
  }

  #price(hour: number): number {
    return this.#prices[hour] ?? 0;
  }
}

import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { type Prng, permutation, prng } from "../support/prng.ts";

/** How fills are distributed over time. */
export type Density = "uniform" | "ramp" | "zipf-days" | "bursts" | "sparse";

export interface HistoryOptions {
  readonly seed: number;
  readonly fills: number;
  /** ms UTC */
  readonly from: number;
  /** ms UTC, exclusive */
  readonly to: number;
  /** default 20 */
  readonly markets?: number;
  /** default uniform */
  readonly density?: Density;
  /** This share of the orders begins in `[from, from + lengthMs)`, whatever the density; default none. */
  readonly burst?: { readonly share: number; readonly from: number; readonly lengthMs: number };
  /**
   * Fills in the single millisecond of each sweep; default 250, at most a third of all fills. 0: no sweeps.
   */
  readonly ties?: number;
  /** Share of orders that trade with another order of the same account; default 0.01. */
  readonly selfTrades?: number;
  /**
   * Share of orders with trigger types, trade types and fill kinds that the interface does not list; default
   * 0.005.
   */
  readonly unlisted?: number;
  /** Whether some fills lie close to UTC midnights; default true. */
  readonly boundaries?: boolean;
  /**
   * Which items show `filledAt`. `mixed`: not those in the oldest 30 % of the range, but the later ones, with
   * exceptions. Default mixed.
   */
  readonly filledAt?: "mixed" | "all" | "none";
}

export type HistoryPlan = ReturnType<typeof planHistory>;

/**
 * Offsets from a UTC midnight, ms, where boundary mistakes show: the last second before it and the first
 * after it.
 */
const BOUNDARY_OFFSETS_MS: readonly number[] = [-1000, -999, -588, -1, 0, 1, 412, 999];

/** The account in columns, by fill or by order. */
export function planHistory(options: HistoryOptions) {
  const draft = new Draft(options);
  draft.addSweeps();
  draft.addBoundaries();
  draft.addOrders();
  return draft.sorted();
}

const MAX_SWEEPS = 5;
const FILLS_PER_SWEEP = 20_000;

class Draft {
  private readonly draw: Prng;
  private readonly time: Float64Array;
  private readonly order: Uint32Array;
  private readonly match: Uint32Array;
  private readonly market: Uint8Array;
  private readonly buy: Uint8Array;
  private readonly orderTime: Float64Array;
  private fills = 0;
  private orders = 0;
  private matches = 0;
  private readonly options: HistoryOptions;

  constructor(options: HistoryOptions) {
    this.options = options;
    this.draw = prng(options.seed ^ 0x5e_ed);
    this.time = new Float64Array(options.fills);
    this.order = new Uint32Array(options.fills);
    this.match = new Uint32Array(options.fills);
    this.market = new Uint8Array(options.fills);
    this.buy = new Uint8Array(options.fills);
    this.orderTime = new Float64Array(options.fills);
  }

  /**
   * Hundreds of fills of a few orders in one millisecond. The first sweep is at a month's first midnight if
   * the range has one.
   */
  addSweeps(): void {
    const { fills, from, to, ties = 250 } = this.options;
    const size = Math.min(ties, Math.floor(fills / 3));
    const sweeps = size === 0 ? 0 : Math.min(MAX_SWEEPS, Math.ceil(fills / FILLS_PER_SWEEP));
    for (let sweep = 0; sweep < sweeps && this.fills + size <= fills; sweep++) {
      const [month, laterMonth] = monthStarts(from, to);
      const first = sweep === 0 ? (laterMonth ?? month) : undefined;
      const time = first ?? from + Math.floor(this.draw.next() * (to - from));
      for (let left = size; left > 0; ) {
        const count = Math.min(left, 1 + this.draw.int(120));
        const order = this.newOrder(time);
        for (let fill = 0; fill < count; fill++) {
          this.addFill(time, order, this.newMatch());
        }
        left -= count;
      }
    }
  }

  /**
   * One order with one fill at each offset around the midnights of months, then of days. These are at most a
   * fifth of all fills.
   */
  addBoundaries(): void {
    const { fills, from, to, boundaries = true } = this.options;
    const room = boundaries ? Math.floor(fills / 5) : 0;
    const days = Math.max(0, Math.floor((to - from) / DAY_MS));
    const midnights = monthStarts(from, to);
    for (let extra = 0; extra < Math.min(days, 40); extra++) {
      midnights.push(Math.floor((from + this.draw.next() * (to - from)) / DAY_MS) * DAY_MS);
    }
    const times = midnights.flatMap((midnight) => BOUNDARY_OFFSETS_MS.map((offset) => midnight + offset));
    for (const time of times.filter((at) => at >= from && at < to).slice(0, room)) {
      this.addFill(time, this.newOrder(time), this.newMatch());
    }
  }

  /** The rest: orders of one to twenty fills, seconds apart. Some trade with an order of the same account. */
  addOrders(): void {
    const { to, selfTrades = 0.01, fills, burst } = this.options;
    const starts = startTimes(this.options, this.draw);
    while (this.fills < fills) {
      const isInBurst = burst !== undefined && this.draw.next() < burst.share;
      const start = isInBurst ? burst.from + this.draw.int(burst.lengthMs) : starts();
      const order = this.newOrder(start);
      const count = Math.min(fillsOfOrder(this.draw), fills - this.fills);
      let time = start;
      for (let fill = 0; fill < count; fill++) {
        this.addFill(time, order, this.newMatch());
        time = Math.min(to - 1, time + Math.floor(this.draw.next() ** 3 * 60_000));
      }
      if (this.draw.next() < selfTrades && this.fills < fills) {
        this.addSelfTrade(order);
      }
    }
  }

  /** The fills in ascending time, with the order and the match of each; and the market, side and time of each order. */
  sorted() {
    const ranks = Uint32Array.from({ length: this.fills }, (_, index) => index);
    ranks.sort((a, b) => (this.time[a] ?? 0) - (this.time[b] ?? 0) || a - b);
    const times = new Float64Array(this.fills);
    const orderOf = new Uint32Array(this.fills);
    const matchOf = new Uint32Array(this.fills);
    ranks.forEach((from, to) => {
      times[to] = this.time[from] ?? 0;
      orderOf[to] = this.order[from] ?? 0;
      matchOf[to] = this.match[from] ?? 0;
    });
    // `buys`: 1 is buy; `orderTimes`: of the first fill. Times are in ms.
    return { times, orderOf, matchOf, marketOf: this.market, buys: this.buy, orderTimes: this.orderTime };
  }

  /** The match of the newest fill also fills a second order, on the other side. */
  private addSelfTrade(order: number): void {
    const time = this.time[this.fills - 1] ?? 0;
    const other = this.newOrder(time);
    this.market[other] = this.market[order] ?? 0;
    this.buy[other] = 1 - (this.buy[order] ?? 0);
    this.addFill(time, other, this.matches - 1);
  }

  private addFill(time: number, order: number, match: number): void {
    this.time[this.fills] = time;
    this.order[this.fills] = order;
    this.match[this.fills] = match;
    this.fills += 1;
  }

  private newMatch(): number {
    this.matches += 1;
    return this.matches - 1;
  }

  private newOrder(time: number): number {
    const order = this.orders;
    this.orders += 1;
    const skew = this.draw.next() ** 2; // a few markets have most of the volume
    this.market[order] = Math.floor(skew * (this.options.markets ?? 20));
    this.buy[order] = this.draw.int(2);
    this.orderTime[order] = time;
    return order;
  }
}

function fillsOfOrder(draw: Prng): number {
  const kind = draw.next();
  if (kind < 0.6) {
    return 1;
  }
  return kind < 0.95 ? 2 + draw.int(4) : 6 + draw.int(15);
}

/** Midnights UTC of the first of each month in `[from, to)`. */
function monthStarts(from: number, to: number): number[] {
  const starts: number[] = [];
  const date = new Date(from);
  for (let month = date.getUTCMonth(); ; month++) {
    const start = Date.UTC(date.getUTCFullYear(), month, 1);
    if (start >= to) {
      return starts;
    }
    if (start >= from) {
      starts.push(start);
    }
  }
}

function startTimes(options: HistoryOptions, draw: Prng): () => number {
  const { from, to } = options;
  const at = (position: number) => Math.min(to - 1, from + Math.floor(position * (to - from)));
  const within = (start: number, lengthMs: number) => Math.min(to - 1, start + Math.floor(draw.next() * lengthMs));
  const days = Math.max(1, Math.ceil((to - from) / DAY_MS));
  const shuffledDays = permutation(days, options.seed);
  switch (options.density ?? "uniform") {
    case "uniform":
      return () => at(draw.next());
    case "ramp":
      return () => at(Math.sqrt(draw.next()));
    case "zipf-days":
      // the inverse of the harmonic sum: rank r has a share of about 1/r
      return () => within(from + (shuffledDays[Math.floor((days + 1) ** draw.next()) - 1] ?? 0) * DAY_MS, DAY_MS);
    case "bursts": {
      const bursts = Array.from({ length: 20 }, () => at(draw.next()));
      return () => (draw.next() < 0.95 ? within(bursts[draw.int(20)] ?? from, HOUR_MS) : at(draw.next()));
    }
    case "sparse": {
      const busy = Math.max(1, Math.floor(days / 50));
      return () => within(from + (shuffledDays[draw.int(busy)] ?? 0) * DAY_MS, DAY_MS);
    }
  }
}

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

/** An order, in the order of their making. */
interface PlannedOrder {
  readonly number: number;
  /** Of its first fill, ms. */
  readonly time: number;
  readonly market: number;
  readonly isBuy: boolean;
}

export interface PlannedFill {
  /** ms */
  readonly time: number;
  readonly order: PlannedOrder;
  /** The two sides of a self-trade share it. */
  readonly match: number;
}

/**
 * Offsets from a UTC midnight, ms, where boundary mistakes show: the last second before it and the first
 * after it.
 */
const BOUNDARY_OFFSETS_MS: readonly number[] = [-1000, -999, -588, -1, 0, 1, 412, 999];

const MAX_SWEEPS = 5;
const FILLS_PER_SWEEP = 20_000;

/** The account's fills in ascending time. */
export function planHistory(options: HistoryOptions): readonly PlannedFill[] {
  const { seed, markets = 20 } = options;
  const draw = prng(seed ^ 0x5e_ed);
  const planned: PlannedFill[] = [];
  let [orders, matches] = [0, 0];
  const plan: Plan = {
    planned,
    order(time) {
      orders += 1;
      const skew = draw.next() ** 2; // a few markets have most of the volume
      return { number: orders - 1, time, market: Math.floor(skew * markets), isBuy: draw.int(2) === 1 };
    },
    fill(time, order) {
      planned.push({ time, order, match: matches });
      matches += 1;
    },
  };
  addSweeps(options, draw, plan);
  addBoundaries(options, draw, plan);
  addOrders(options, draw, plan);
  return planned.toSorted((a, b) => a.time - b.time);
}

interface Plan {
  readonly planned: PlannedFill[];
  order(time: number): PlannedOrder;
  fill(time: number, order: PlannedOrder): void;
}

/**
 * Hundreds of fills of a few orders in one millisecond. The first sweep is at a month's first midnight if the range
 * has one.
 */
function addSweeps({ fills, from, to, ties = 250 }: HistoryOptions, draw: Prng, { planned, order, fill }: Plan): void {
  const size = Math.min(ties, Math.floor(fills / 3));
  const sweeps = size === 0 ? 0 : Math.min(MAX_SWEEPS, Math.ceil(fills / FILLS_PER_SWEEP));
  for (let sweep = 0; sweep < sweeps && planned.length + size <= fills; sweep++) {
    const [month, laterMonth] = monthStarts(from, to);
    const first = sweep === 0 ? (laterMonth ?? month) : undefined;
    const time = first ?? from + Math.floor(draw.next() * (to - from));
    const end = planned.length + size;
    while (planned.length < end) {
      const last = planned.length + Math.min(end - planned.length, 1 + draw.int(120));
      for (const own = order(time); planned.length < last; ) {
        fill(time, own);
      }
    }
  }
}

/**
 * One order with one fill at each offset around the midnights of months, then of days. These are at most a fifth of
 * all fills.
 */
function addBoundaries(options: HistoryOptions, draw: Prng, { order, fill }: Plan): void {
  const { fills, from, to, boundaries = true } = options;
  const room = boundaries ? Math.floor(fills / 5) : 0;
  const days = Math.max(0, Math.floor((to - from) / DAY_MS));
  const midnight = () => Math.floor((from + draw.next() * (to - from)) / DAY_MS) * DAY_MS;
  const midnights = [...monthStarts(from, to), ...Array.from({ length: Math.min(days, 40) }, midnight)];
  const times = midnights.flatMap((at) => BOUNDARY_OFFSETS_MS.map((offset) => at + offset));
  for (const time of times.filter((at) => at >= from && at < to).slice(0, room)) {
    fill(time, order(time));
  }
}

/** The rest: orders of one to twenty fills, seconds apart. Some trade with an order of the same account. */
function addOrders(options: HistoryOptions, draw: Prng, { planned, order, fill }: Plan): void {
  const { to, selfTrades = 0.01, fills, burst } = options;
  const starts = startTimes(options, draw);
  while (planned.length < fills) {
    const isInBurst = burst !== undefined && draw.next() < burst.share;
    let time = isInBurst ? burst.from + draw.int(burst.lengthMs) : starts();
    const own = order(time);
    const end = planned.length + Math.min(fillsOfOrder(draw), fills - planned.length);
    while (planned.length < end) {
      fill(time, own);
      time = Math.min(to - 1, time + Math.floor(draw.next() ** 3 * 60_000));
    }
    const last = planned.at(-1);
    if (draw.next() < selfTrades && planned.length < fills && last !== undefined) {
      // The match of the newest fill also fills a second order, on the other side.
      planned.push({ ...last, order: { ...order(last.time), market: own.market, isBuy: !own.isBuy } });
    }
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

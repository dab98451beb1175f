import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../../../lambda/core/time.ts";
import type { HistoryOptions } from "../../emulator/history-plan.ts";
import type { Switches } from "../../emulator/switches.ts";
import { withReadableCap } from "../../support/known-limits.ts";
import { type Draw, drawFrom, drawSwitches } from "./draw-switches.ts";

/** Wall-clock time at which a simulation begins. */
export const NOW = Date.UTC(2026, 1, 1);

/**
 * What happens to a store call. Only the answer to a write can be lost; a read fails or succeeds.
 * - `fail-before`: the call has no effect and fails with a FillbookError `incomplete`
 * - `fail-after`: the call takes effect, but is reported as failed
 * - `lost-before`, `lost-after`: a StoreUnknownError, without or with effect
 * - `late`: a StoreUnknownError; the call takes effect some time later, whatever happens to the caller
 * - `conflict`: a swap is refused as by S3's 409, although nothing else changed the object; the outcome of a
 *   creation is unknown
 * - `conflict-after`: as from a client that retries by itself: the call takes effect, but is reported as a
 *   conflict with the object that exists
 * - `gone`: a swap is answered with 404, although the object exists
 */
export const STORE_FATES = [
  "fail-before",
  "fail-after",
  "lost-before",
  "lost-after",
  "late",
  "conflict",
  "conflict-after",
  "gone",
] as const;
export type StoreFate = (typeof STORE_FATES)[number];

/**
 * The plan of a run. It names a moment by the number of an effect (a request, store call or sleep), counted
 * from 0.
 */
export interface RunPlan {
  /** delay after the common start of the runs, or after the previous run, ms */
  readonly afterMs: number;
  readonly concurrency: number;
  readonly maxRps: number | null;
  /** null: the scenario's range */
  readonly range: TimeRange | null;
  readonly kill: { readonly effect: number; readonly after: boolean } | null;
  /**
   * The process does not run for `ms`. It is stopped, so that its elapsed time continues, or its machine is
   * paused (`freezes`).
   */
  readonly suspend: { readonly effect: number; readonly ms: number; readonly freezes: boolean } | null;
  readonly stop: { readonly effect: number } | { readonly ms: number } | null;
  /** Each store call meets one of `fates` with probability `rate`. The calls in `at` always meet theirs. */
  readonly store: {
    readonly rate: number;
    readonly fates: readonly StoreFate[];
    readonly at: readonly { readonly call: number; readonly fate: StoreFate }[];
  };
  /** How far the process's wall clock is ahead, ms. */
  readonly skewMs: number;
  readonly pace: "once" | "hurry" | "usual";
}

/** Everything that a simulation does, as data, drawn from a seed or written by hand. */
export interface Scenario {
  readonly seed: number;
  readonly account: HistoryOptions;
  readonly switches: Partial<Switches>;
  /**
   * The account gets fills during the simulation. Without a look-back, they appear up to the settle lag late.
   */
  readonly isLive: boolean;
  readonly settleLagMs: number;
  readonly lookBackMs: number;
  /** Undisturbed runs after the archive is complete, at this interval. */
  readonly nights: { readonly count: number; readonly everyMs: number };
  /** `to` is null if the range reaches to now. */
  readonly range: { readonly from: number; readonly to: number | null };
  /** duration of a store call, ms */
  readonly storeMs: number;
  /** Whether the service's errors quote the Authorization header. */
  readonly echoesToken: boolean;
  /** After this time, ms, the service accepts another token, which the token source has. Null: never. */
  readonly tokenEndsMs: number | null;
  readonly runs: readonly RunPlan[];
  readonly isRaced: boolean;
}

export function drawScenario(seed: number): Scenario {
  const draw = drawFrom(seed);
  const isLive = draw.chance(0.15);
  const drawn = drawSwitches(draw, isLive);
  const account = drawAccount(draw, seed, isLive, drawn);
  const switches = withReadableCap(drawn, account);
  const range = isLive ? { from: account.from, to: null } : drawRange(draw, account);
  const nights = drawNights(draw, isLive);
  const mostMs = nights.count > 0 && draw.chance(0.5) ? nights.everyMs : 0;
  const runs = Array.from({ length: draw.pick([1, 1, 1, 2, 2, 3]) }, () => drawRun(draw, range, isLive, mostMs));
  const lookBackMs = isLive && nights.count > 0 ? draw.pick([0, 2, 7, 7]) * DAY_MS : 0;
  return {
    seed,
    account,
    switches: isLive ? { ...switches, ...drawLateness(draw, lookBackMs) } : switches,
    isLive,
    settleLagMs: isLive ? LIVE_DELAY_MS + MINUTE_MS : draw.pick([0, HOUR_MS]),
    lookBackMs,
    nights,
    range,
    storeMs: draw.pick([0, 0, 5, 40, 300]),
    echoesToken: draw.chance(0.2),
    tokenEndsMs: draw.chance(0.1) ? draw.upTo(2 * MINUTE_MS) : null,
    runs,
    isRaced: draw.chance(0.4),
  };
}

const LIVE_DELAY_MS = 14 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

/**
 * Nights are a day apart to test the look-back, or a week apart to test the collection of orphans. Some
 * accounts that are not live have weekly nights too.
 */
function drawNights(draw: Draw, isLive: boolean): Scenario["nights"] {
  if (draw.chance(isLive ? 0.3 : 0.9)) {
    return { count: 0, everyMs: 0 };
  }
  return isLive && draw.chance(0.6)
    ? { count: 2 + draw.upTo(4), everyMs: DAY_MS }
    : { count: 2 + draw.upTo(1), everyMs: WEEK_MS + HOUR_MS };
}

/**
 * For runs that walk covered times again: fills that come within the look-back or after it, and fills that
 * change.
 */
function drawLateness(draw: Draw, lookBackMs: number): Partial<Switches> {
  if (lookBackMs === 0) {
    return { lateRows: { share: 1, maxDelayMs: LIVE_DELAY_MS } };
  }
  const afterMs = draw.pick([HOUR_MS, DAY_MS, 5 * DAY_MS]);
  const what = draw.pick(["filledAt-appears", "content"]);
  return {
    lateRows: { share: draw.pick([0.05, 0.5]), maxDelayMs: draw.pick([HOUR_MS, lookBackMs, 2 * lookBackMs]) },
    ...(draw.chance(0.3) ? { changingRows: { share: draw.pick([0.05, 0.5]), what, afterMs } } : {}),
  };
}

const MOST_FILLS = 250;

function drawAccount(draw: Draw, seed: number, isLive: boolean, switches: Partial<Switches>): HistoryOptions {
  const days = draw.pick(daysUnder(switches));
  const pageLimit = switches.pageLimit ?? 100;
  const pages = draw.pick([0, 0.1, 1, 3, 6, 12, 12, 25, 25]);
  const fills = draw.pick([-1, 0, 0, 1]) + Math.ceil(pages * pageLimit);
  const span = isLive
    ? { from: NOW - 9 * DAY_MS, to: NOW + draw.pick([1, 14]) * DAY_MS }
    : { from: Date.UTC(2025, 0, 1) + draw.pick([0, 0, draw.upTo(20 * DAY_MS)]), to: 0 };
  return {
    seed: seed + 1,
    fills: Math.min(MOST_FILLS, Math.max(0, fills)),
    from: span.from,
    to: isLive ? span.to : span.from + Math.max(10, Math.floor(days * DAY_MS)),
    density: draw.pick(["uniform", "ramp", "zipf-days", "bursts", "sparse"]),
    ties: draw.pick([0, 3, 35, 120]),
    selfTrades: draw.pick([0.01, 0.3]),
    filledAt: draw.pick(["mixed", "mixed", "all", "none"]),
  };
}

/**
 * Possible durations of the account, in days. A clamp must be wide enough, compared to them, to show in the
 * first requests.
 */
function daysUnder({ clamp }: Partial<Switches>): readonly number[] {
  switch (clamp?.widthMs) {
    case DAY_MS:
      return [0.2, 1, 3, 14];
    case WEEK_MS:
      return [0.01, 1, 3, 30, 90, 181];
    default:
      return [0.01, 1, 3, 30, 90, 181, 365];
  }
}

/** The account's whole time, with some time around it, or a part of it. */
function drawRange(draw: Draw, { from, to }: TimeRange): { from: number; to: number } {
  switch (draw.pick(["all", "all", "around", "part"])) {
    case "around":
      return { from: from - draw.upTo(9 * DAY_MS), to: to + draw.upTo(9 * DAY_MS) };
    case "part":
      return drawPart(draw, { from, to });
    default:
      return { from, to };
  }
}

function drawPart(draw: Draw, { from, to }: TimeRange): { from: number; to: number } {
  const start = from + draw.upTo(to - from - 1);
  return { from: start, to: start + 1 + draw.upTo(to - start - 1) };
}

function drawRun(draw: Draw, range: Scenario["range"], isLive: boolean, mostMs: number): RunPlan {
  const faults = draw.chance(0.5);
  const fates = draw.chance(0.5) ? STORE_FATES : SOFT_FATES;
  return {
    afterMs: draw.pick([0, 0, draw.upTo(100), draw.upTo(10 * SECOND_MS), draw.upTo(HOUR_MS)]) + draw.pick([0, mostMs]),
    concurrency: draw.pick([1, 4, 16]),
    maxRps: draw.chance(0.1) ? draw.pick([1, 5, 50]) : null,
    range: draw.chance(0.15) ? drawOther(draw, range) : null,
    kill: draw.chance(0.4) ? { effect: draw.small(800), after: draw.chance(0.5) } : null,
    suspend: draw.chance(0.2) ? drawSuspension(draw) : null,
    stop: draw.chance(0.2) ? draw.pick([{ effect: draw.small(800) }, { ms: draw.upTo(MINUTE_MS) }]) : null,
    store: {
      rate: faults ? draw.pick([0, 0.01, 0.05, 0.2]) : 0,
      fates: draw.some(fates),
      at: faults ? draw.times(2, () => ({ call: draw.small(100), fate: draw.pick(fates) })) : [],
    },
    skewMs: isLive || draw.chance(0.8) ? 0 : draw.upTo(2 * HOUR_MS) - HOUR_MS,
    pace: draw.pick(["hurry", "hurry", "hurry", "usual", "once"]),
  };
}

const SOFT_FATES: readonly StoreFate[] = ["lost-before", "lost-after", "late", "conflict", "conflict-after"];

/** A part of the range; for a live account, a range that ends in the future. */
function drawOther(draw: Draw, { from, to }: Scenario["range"]): TimeRange {
  return to === null ? { from, to: NOW + 2 * DAY_MS } : drawPart(draw, { from, to });
}

function drawSuspension(draw: Draw): NonNullable<RunPlan["suspend"]> {
  return {
    effect: draw.small(800),
    ms: draw.pick([SECOND_MS, 29 * SECOND_MS, 31 * SECOND_MS, 5 * MINUTE_MS, 3 * HOUR_MS]),
    freezes: draw.chance(0.3),
  };
}

/** A run without disturbances. */
export const UNDISTURBED: RunPlan = {
  afterMs: MINUTE_MS,
  concurrency: 4,
  maxRps: null,
  range: null,
  kill: null,
  suspend: null,
  stop: null,
  store: { rate: 0, fates: [], at: [] },
  skewMs: 0,
  pace: "hurry",
};

import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lambda/core/time.ts";
import { type FaultKind, type FaultPlan, PASSING_FAULTS } from "../../emulator/faults.ts";
import type { LimiterSpec } from "../../emulator/limiters.ts";
import { type Switches, UNFILABLE_KINDS, UNTYPED_KINDS } from "../../emulator/switches.ts";
import { withoutKnownLimits } from "../../support/known-limits.ts";
import { prng } from "../../support/prng.ts";

type Choices = { readonly [Name in keyof Switches]?: (draw: Draw) => Switches[Name] };

/**
 * Readings of what the interface leaves open, under which all rows can be read. One is left out: rows that
 * appear behind a cursor (`lateRows`). A live account still has rows that appear within the settle lag.
 * Replicas lag, but only for rows that have not settled.
 */
const READINGS: Choices = {
  order: (draw) => draw.pick(["ascending", "unordered", "shuffled-pages"]),
  startInclusive: () => false,
  endInclusive: () => false,
  filterBy: () => "filledAt",
  shortPages: () => true,
  emptyPages: (draw) => draw.pick([0.2, 0.5]),
  lastOnFinal: (draw) => draw.pick(["cursor", "empty-string", "zero", "null"]),
  cursorValues: (draw) => draw.pick([[""], ["0"], ["", "0"]]),
  cursorDates: (draw) => draw.pick(["required", "sent", "forgotten"]),
  repeatRows: (draw) => draw.pick([1, 7, 30]),
  changingRows: (draw) => ({
    share: draw.pick([0.05, 0.5]),
    what: draw.pick(["filledAt-appears", "content"]),
    afterRequests: draw.small(100),
  }),
  clamp: (draw) => ({
    widthMs: draw.pick([1, 3, 7, 30, 90]) * DAY_MS,
    anchor: draw.pick(["end", "start"]),
    alsoSingleBound: draw.chance(0.5),
  }),
  rangeLimits: (draw) => ({ maxWidthMs: draw.pick([7, 30, 90]) * DAY_MS, status: draw.pick([400, 416, 422]) }),
  replicas: (draw) => ({ share: draw.pick([0.1, 0.5]), lagMs: draw.pick([SECOND_MS, MINUTE_MS, 10 * MINUTE_MS]) }),
  offsetCursors: () => true,
  latency: drawLatency,
  faults: drawFaults,
  limits: (draw) => [drawLimit(draw)],
};

/** Readings under which it may be impossible to get all rows. The run must then say so. */
const HARD: Choices = {
  lastOnFinal: () => "empty-string-restarts",
  cursorLifetimePages: (draw) => draw.pick([1, 2, 4, 9]),
  cursorLifetimeMs: (draw) => draw.pick([100, SECOND_MS, 60 * SECOND_MS]),
  cursorExpired: (draw) => draw.pick([410, "restarts"]),
  cursorLoop: (draw) => ({ length: 1 + draw.small(49), afterPages: 1 + draw.upTo(5) }),
  cursorRefused: () => true,
  timeCursors: () => true,
  rangeLimits: (draw) => ({ oldestAgeMs: draw.pick([30, 200, 380]) * DAY_MS, status: draw.pick([400, 416, 422]) }),
  seconds: (draw) => draw.pick([0.02, 1]),
};

/** Faults of single answers. Where two of them are wrong alike, no reading can tell (Outcome.isFooled). */
const FAULTS: Choices = {
  falseEmpty: (draw) => draw.pick([0.005, 0.02]),
  lostLast: (draw) => draw.pick([0.01, 0.05]),
  replicas: (draw) => ({ share: 0.05, lacks: draw.pick([0.01, 0.05]) }),
};

/** Any combination of readings, from the plainest service to one that is unusual in every way. */
export function drawSwitches(draw: Draw, isLive: boolean): Partial<Switches> {
  const oddity = draw.pick([0, 0.1, 0.1, 0.3, 0.6]);
  const hardness = draw.pick([0, 0, 0, 0.3]);
  const pageLimit = draw.pick([100, 50, 33, 20, 10, 10]);
  const drawn = {
    pageLimit,
    ...(draw.chance(oddity) ? { rowCap: drawRowCap(draw, pageLimit) } : {}),
    ...(draw.chance(0.6) ? { latency: drawLatency(draw) } : {}),
    ...drawEach(draw, READINGS, oddity),
    ...drawEach(draw, HARD, hardness),
    ...(draw.chance(0.1) ? drawEach(draw, FAULTS, 0.5) : {}),
    ...(draw.chance(0.06) ? { badRows: drawBadRows(draw) } : {}),
  };
  const switches = withoutKnownLimits(drawn);
  return isLive ? { ...switches, changingRows: null } : switches;
}

/** A cap of 2 to 12 pages. */
function drawRowCap(draw: Draw, pageLimit: number): NonNullable<Switches["rowCap"]> {
  return { rows: pageLimit * (2 + draw.upTo(10)), emptyLast: draw.chance(0.3) };
}

function drawEach(draw: Draw, choices: Choices, share: number): Partial<Switches> {
  const drawn = Object.entries(choices).flatMap(([name, choose]) => (draw.chance(share) ? [[name, choose(draw)]] : []));
  return Object.fromEntries(drawn);
}

function drawBadRows(draw: Draw): NonNullable<Switches["badRows"]> {
  return {
    share: draw.pick([0.02, 0.3]),
    kinds: draw.some(draw.chance(0.8) ? UNTYPED_KINDS : [...UNTYPED_KINDS, ...UNFILABLE_KINDS]),
  };
}

/**
 * Faults that end a run (`huge`, `redirect`) come once or twice, by number. By chance they would end every
 * run.
 */
function drawFaults(draw: Draw): FaultPlan {
  const ending: readonly FaultKind[] = draw.chance(0.2) ? ["huge", "redirect"] : [];
  return {
    rate: draw.pick([0.01, 0.1, 0.3]),
    kinds: draw.some(PASSING_FAULTS),
    maxInARow: draw.pick([1, 2]),
    hugeBytes: 8_500_000,
    schedule: [
      ...draw.times(2, () => ({
        nth: 1 + draw.small(60),
        times: draw.pick([1, 3, 5]),
        kind: draw.pick(PASSING_FAULTS),
      })),
      ...ending.map((kind) => ({ nth: 1 + draw.small(60), kind })),
    ],
  };
}

/** Requests may overtake each other, so that a chain ends while it is being split. */
function drawLatency(draw: Draw): Switches["latency"] {
  return { ms: draw.pick([1, 50, 400, 2000]), jitterMs: draw.pick([0, 20, 500]) };
}

function drawLimit(draw: Draw): LimiterSpec {
  const retryAfter = draw.pick(["none", "seconds", "http-date"]);
  const rate = draw.pick([2, 10, 50]);
  switch (draw.pick(["token-bucket", "fixed-window", "sliding-window", "concurrency", "ban"])) {
    case "token-bucket":
      return { retryAfter, kind: "token-bucket", ratePerSecond: rate, burst: draw.pick([1, 5, 20]) };
    case "fixed-window":
      return { retryAfter, kind: "fixed-window", limit: rate, windowMs: draw.pick([1, 10, 60]) * SECOND_MS };
    case "sliding-window":
      return { retryAfter, kind: "sliding-window", limit: rate, windowMs: draw.pick([1, 10, 60]) * SECOND_MS };
    case "concurrency":
      return { retryAfter, kind: "concurrency", limit: draw.pick([1, 2, 8]), holdMs: draw.pick([0, 100]) };
    case "ban":
      return { retryAfter, kind: "ban", ratePerSecond: rate, burst: 5, banMs: 2 * SECOND_MS, growth: 2 };
  }
}

export type Draw = ReturnType<typeof drawFrom>;

/** Draws the parts of a scenario from one random stream: the same seed gives the same scenario. */
export function drawFrom(seed: number) {
  const { next, int } = prng(seed);
  const chance = (share: number): boolean => next() < share;
  /** A whole number from 0 to `most`. */
  const upTo = (most: number): number => Math.floor(next() * (Math.max(0, most) + 1));
  const pick = <const T>(from: readonly T[]): T => {
    const picked = from[int(from.length)];
    if (picked === undefined) {
      throw new RangeError("nothing to pick from");
    }
    return picked;
  };
  return {
    chance,
    upTo,
    pick,
    /** A whole number from 0 to `most`, with equal probability for each order of magnitude. */
    small: (most: number): number => Math.floor((most + 1) ** next()) - 1,
    /** A random selection of at least one. */
    some<T>(from: readonly T[]): T[] {
      const kept = from.filter(() => chance(0.4));
      return kept.length === 0 ? [pick(from)] : kept;
    },
    /** From 0 to `most` results of `make`. */
    times: <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most) }, make),
  };
}

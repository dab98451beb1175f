import { describe, expect, test } from "vitest";
import { MAX_WAIT_MS } from "../../lambda/service/limiter.ts";
import { initialState, learnedRate, next, waitMs } from "../../lambda/service/rate-controller.ts";
import type { SentRequest } from "../../lambda/service/rate-state.ts";
import { type Controller, type HiddenLimit, type MakeController, simulate } from "./hidden-limit.ts";

// The limiter against limits that it cannot see, in virtual time: close to the limit, and seldom refused.

const CONCURRENCY = 16;
const HORIZON_MS = 600_000;
const SEEDS = [11, 12];
const LEAST_SHARE = 0.9;
const MOST_REFUSED = 0.05;

type Ours = Controller & { learnedRate(): number | null };

function controller(learned: number | null, draw: () => number, concurrency: number): Ours {
  let state = initialState({ concurrency, maxRps: null }, learned);
  let waited = false;
  return {
    waitMs(now) {
      const ms = waitMs(state, now, MAX_WAIT_MS);
      waited ||= ms !== 0;
      return ms;
    },
    sent(at) {
      state = next(state, { kind: "sent", at, waited });
      waited = false;
      return state.lastSent;
    },
    answered(request: SentRequest, at, quota) {
      state = next(state, { kind: "ended", at, request, how: { kind: "answered", quota }, jitter: 0 });
    },
    refused(request: SentRequest, at, retryAfterMs) {
      state = next(state, { kind: "ended", at, request, how: { kind: "refused", retryAfterMs }, jitter: draw() });
    },
    learnedRate: () => learnedRate(state),
  };
}

const fillbook: MakeController = (draw, concurrency) => controller(null, draw, concurrency);

interface Cell {
  readonly limit: HiddenLimit;
  readonly rttMs: number;
  readonly perSecond: number;
}

/** Means over the seeds: accepted requests, as a share of what could pass; refused ones, of those sent. */
function measure({ limit, rttMs, perSecond }: Cell) {
  const possible = Math.min(perSecond, (1000 * CONCURRENCY) / rttMs);
  const horizonMs = Math.max(HORIZON_MS, 1_000_000 / possible);
  const outcomes = SEEDS.map((seed) => simulate(fillbook, { limit, rttMs, concurrency: CONCURRENCY, horizonMs, seed }));
  const mean = (of: (outcome: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  return {
    share: mean(({ accepted }) => accepted) / (possible * (horizonMs / 1000)),
    refused: mean(({ refused, sent }) => refused / sent),
  };
}

const windows = (kind: "fixed-window" | "sliding-window", seconds: number, perSecond: number) =>
  ({ kind, limit: perSecond * seconds, windowMs: 1000 * seconds }) as const;
const bucket = (ratePerSecond: number, burst = 20) => ({ kind: "token-bucket", ratePerSecond, burst }) as const;

const LIMITS: Readonly<Record<string, (perSecond: number) => HiddenLimit>> = {
  "token bucket": bucket,
  "token bucket, Retry-After": (perSecond) => ({ ...bucket(perSecond), retryAfter: "seconds" }),
  "fixed window of a second": (perSecond) => windows("fixed-window", 1, perSecond),
  "fixed window of a minute, Retry-After": (perSecond) => ({
    ...windows("fixed-window", 60, perSecond),
    retryAfter: "seconds",
  }),
  "sliding window of ten seconds": (perSecond) => windows("sliding-window", 10, perSecond),
};

const CELLS = Object.entries(LIMITS).flatMap(([name, limit]) =>
  [20, 150].flatMap((rttMs) => [2, 10, 50].map((perSecond) => ({ name, limit: limit(perSecond), rttMs, perSecond }))),
);

test.each(CELLS)("$name, $perSecond a second, $rttMs ms: at least 90 % of the limit, at most 5 % refused", (cell) => {
  const { share, refused } = measure(cell);
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
});

test.each([2, 10, 50])("%d a second, and answers that say how many are left: seldom refused", (perSecond) => {
  const limit = { ...windows("fixed-window", 60, perSecond), tells: "ratelimit" } as const;
  const { share, refused } = measure({ limit, rttMs: 150, perSecond });
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(0.015);
});

test("a cap on requests in flight: at least 90 % of it, at most 5 % refused", () => {
  const { share, refused } = measure({ limit: { kind: "concurrency", limit: 4 }, rttMs: 150, perSecond: 4000 / 150 });
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
});

test("a ban that grows with each refusal: at least half of what a single chain gets", () => {
  const limit = { kind: "growing-ban", ratePerSecond: 10, burst: 5, addMs: 2000 } as const;
  // A chain that waits for each answer gets a request through every 150 ms, and is never refused.
  expect(10 * measure({ limit, rttMs: 150, perSecond: 10 }).share).toBeGreaterThanOrEqual(1000 / 150 / 2);
});

test.each([
  [10, 5],
  [10, 50],
])("a limit that changes from %d to %d a second: at least 80 %% of both, at most 5 %% refused", (before, after) => {
  const both = { rttMs: 150, concurrency: CONCURRENCY, horizonMs: HORIZON_MS };
  for (const seed of SEEDS) {
    const outcome = simulate(fillbook, { ...both, limit: bucket(before), later: bucket(after), seed });
    expect(outcome.accepted / (((before + after) / 2) * (HORIZON_MS / 1000))).toBeGreaterThanOrEqual(0.8);
    expect(outcome.refused / outcome.sent).toBeLessThanOrEqual(MOST_REFUSED);
  }
});

test("without a limit: at most 1.15 times as long as without a limiter", () => {
  const size = { limit: { kind: "none" }, horizonMs: HORIZON_MS, rttMs: 50, concurrency: 4, requests: 200 } as const;
  const free = () => ({ waitMs: () => 0, sent: () => null, answered: () => undefined, refused: () => undefined });
  for (const seed of SEEDS) {
    const [paced, unpaced] = [fillbook, free].map((make) => simulate(make, { ...size, seed }).endedMs);
    expect((paced ?? 0) / (unpaced ?? 1)).toBeLessThanOrEqual(1.15);
  }
});

describe("the second of two runs", () => {
  const LENGTH_MS = 60_000;

  test.each([2, 10])(
    "of %d a second gets at most 0.6 times as many refusals, and reaches the limit at once",
    (rate) => {
      const play = (seed: number, horizonMs: number, learned: number | null) => {
        const made: Ours[] = [];
        const make: MakeController = (draw, concurrency) => {
          const ours = controller(learned, draw, concurrency);
          made.push(ours);
          return ours;
        };
        const outcome = simulate(make, { limit: bucket(rate), rttMs: 150, concurrency: CONCURRENCY, horizonMs, seed });
        return { ...outcome, learned: made[0]?.learnedRate() ?? null };
      };
      const first = SEEDS.map((seed) => play(seed + 1000, LENGTH_MS, null));
      const second = SEEDS.map((seed) => play(seed + 1000, LENGTH_MS, play(seed, HORIZON_MS, null).learned));
      const sum = (outcomes: typeof first, of: "accepted" | "refused") =>
        outcomes.reduce((all, one) => all + one[of], 0);
      expect(sum(second, "refused")).toBeLessThanOrEqual(0.6 * sum(first, "refused"));
      expect(sum(second, "accepted")).toBeGreaterThanOrEqual(LEAST_SHARE * SEEDS.length * rate * (LENGTH_MS / 1000));
    },
  );
});

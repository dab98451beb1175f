import { describe, expect, test } from "vitest";
import { createLimiter } from "../../lambda/service/limiter.ts";
import type { Answered } from "../../lambda/service/rate-state.ts";
import { answeredBy } from "../../lambda/service/request-with-retry.ts";
import type { Learned } from "../../lambda/service/service.ts";
import {
  createLimiter as createServiceLimiter,
  type LimiterSpec,
  rateLimitHeaders,
  retryAfterHeaders,
  type Limiter as ServiceLimiter,
} from "../emulator/limiters.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { prng } from "../support/prng.ts";
import { never } from "./client.ts";

// The limiter against limits that it cannot see, in virtual time: close to the limit, and seldom refused.

const CONCURRENCY = 16;
const HORIZON_MS = 600_000;
const SEEDS = [11, 12];
const LEAST_SHARE = 0.9;
const MOST_REFUSED = 0.05;

interface Scenario {
  /** Null: none. */
  readonly limit: LimiterSpec | null;
  /** The limit in the second half of the time. */
  readonly later?: LimiterSpec;
  /**
   * The mean round trip. Each request's own is up to a fifth shorter or longer. The way to the service takes
   * a twentieth of it; then the service decides.
   */
  readonly rttMs: number;
  /** Number of workers, which always have a request to send. */
  readonly concurrency?: number;
  readonly horizonMs?: number;
  /** Ends after this many accepted requests; default: no end. */
  readonly requests?: number;
  readonly seed: number;
  /** Of an earlier run. */
  readonly learned?: Learned;
}

async function simulate({
  limit,
  later,
  rttMs,
  concurrency = CONCURRENCY,
  horizonMs = HORIZON_MS,
  requests = Number.POSITIVE_INFINITY,
  seed,
  learned,
}: Scenario) {
  const random = prng(seed);
  const phaseMs = random.int(60_000); // phase of the service's clock, by which it divides time into windows
  const clock = fakeClock({ auto: true });
  const limiter = createLimiter({ clock, random: { next: random.next, id: () => "" }, concurrency, maxRps: null });
  limiter.begin(learned === undefined ? null : { ...learned, notedAt: clock.now(), pausedUntil: null });
  const [first, second] = [limit, later ?? limit].map((spec) => spec && ([spec, createServiceLimiter(spec)] as const));
  const count = { sent: 0, accepted: 0, refused: 0 };
  const jitter = (): number => 0.8 + 0.4 * random.next();
  const isOver = () => clock.monotonic() > horizonMs || count.accepted >= requests;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const permit = await limiter.acquire(never);
      count.sent += 1;
      await clock.sleep(rttMs * 0.05 * jitter());
      const backMs = rttMs * 0.95 * jitter();
      const hidden = clock.monotonic() < horizonMs / 2 ? first : second;
      const answered = answerOf(hidden ?? null, clock.monotonic() + phaseMs, backMs);
      await clock.sleep(backMs);
      if (!isOver()) {
        count[answered.kind === "refused" ? "refused" : "accepted"] += 1;
      }
      permit.release(answered);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { ...count, endedMs: clock.monotonic(), learned: limiter.learned() };
}

/** The service's answer to a request, as the program reads it. */
function answerOf(hidden: readonly [LimiterSpec, ServiceLimiter] | null, nowMs: number, latencyMs: number): Answered {
  const waitMs = hidden?.[1].refuse(nowMs, latencyMs) ?? null;
  const headers: Readonly<Record<string, string>> =
    hidden === null
      ? {}
      : {
          ...rateLimitHeaders(...hidden, nowMs),
          ...(waitMs === null ? {} : retryAfterHeaders(hidden[0], nowMs, waitMs)),
        };
  const header = (name: string): string | undefined => headers[name];
  return answeredBy({ kind: "answer", status: waitMs === null ? 200 : 429, header, body: "" }, nowMs);
}

interface Cell {
  readonly limit: LimiterSpec;
  readonly rttMs: number;
  readonly perSecond: number;
}

/** Means over the seeds: accepted requests, as a share of what could pass; refused ones, of those sent. */
async function measure({ limit, rttMs, perSecond }: Cell) {
  const possible = Math.min(perSecond, (1000 * CONCURRENCY) / rttMs);
  const horizonMs = Math.max(HORIZON_MS, 1_000_000 / possible);
  const outcomes = await Promise.all(SEEDS.map((seed) => simulate({ limit, rttMs, horizonMs, seed })));
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

const LIMITS: Readonly<Record<string, (perSecond: number) => LimiterSpec>> = {
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

test.each(CELLS)(
  "$name, $perSecond a second, $rttMs ms: at least 90 % of the limit, at most 5 % refused",
  async (cell) => {
    const { share, refused } = await measure(cell);
    expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
    expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
  },
);

test.each([2, 10, 50])("%d a second, and answers that say how many are left: seldom refused", async (perSecond) => {
  const limit = { ...windows("fixed-window", 60, perSecond), tells: "ratelimit" } as const;
  const { share, refused } = await measure({ limit, rttMs: 150, perSecond });
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(0.015);
});

test("a cap on requests in flight: at least 90 % of it, at most 5 % refused", async () => {
  const limit = { kind: "concurrency", limit: 4 } as const;
  const { share, refused } = await measure({ limit, rttMs: 150, perSecond: 4000 / 150 });
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
});

test("a ban that grows with each refusal: at least half of what a single chain gets", async () => {
  const limit = { kind: "ban", ratePerSecond: 10, burst: 5, banMs: 2000, growth: 1 } as const;
  // A chain that waits for each answer gets a request through every 150 ms, and is never refused.
  const { share } = await measure({ limit, rttMs: 150, perSecond: 10 });
  expect(10 * share).toBeGreaterThanOrEqual(1000 / 150 / 2);
});

test.each([
  [10, 5],
  [10, 50],
])(
  "a limit that changes from %d to %d a second: at least 80 %% of both, at most 5 %% refused",
  async (before, after) => {
    for (const seed of SEEDS) {
      const outcome = await simulate({ rttMs: 150, limit: bucket(before), later: bucket(after), seed });
      expect(outcome.accepted / (((before + after) / 2) * (HORIZON_MS / 1000))).toBeGreaterThanOrEqual(0.8);
      expect(outcome.refused / outcome.sent).toBeLessThanOrEqual(MOST_REFUSED);
    }
  },
);

test("without a limit: at most 1.15 times as long as the round trips of four workers", async () => {
  for (const seed of SEEDS) {
    const { endedMs } = await simulate({ limit: null, rttMs: 50, concurrency: 4, requests: 200, seed });
    expect(endedMs).toBeLessThanOrEqual((1.15 * 200 * 50) / 4);
  }
});

describe("the second of two runs", () => {
  const LENGTH_MS = 60_000;

  test.each([2, 10])(
    "of %d a second gets at most 0.6 times as many refusals, and reaches the limit at once",
    async (rate) => {
      const shared = { limit: bucket(rate), rttMs: 150 };
      const count = { first: { accepted: 0, refused: 0 }, second: { accepted: 0, refused: 0 } };
      for (const seed of SEEDS) {
        const { learned } = await simulate({ ...shared, seed });
        const short = { ...shared, horizonMs: LENGTH_MS, seed: seed + 1000 };
        for (const [name, outcome] of [
          ["first", await simulate(short)],
          ["second", await simulate({ ...short, learned })],
        ] as const) {
          count[name].accepted += outcome.accepted;
          count[name].refused += outcome.refused;
        }
      }
      expect(count.second.refused).toBeLessThanOrEqual(0.6 * count.first.refused);
      const possible = SEEDS.length * rate * (LENGTH_MS / 1000);
      expect(count.second.accepted).toBeGreaterThanOrEqual(LEAST_SHARE * possible);
    },
  );
});

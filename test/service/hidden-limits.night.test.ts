import { expect, test } from "vitest";
import { createLimiter, type Limiter } from "../../lambda/service/limiter.ts";
import type { Answered } from "../../lambda/service/rate-state.ts";
import { answeredBy } from "../../lambda/service/request-with-retry.ts";
import type { Learned } from "../../lambda/service/service.ts";
import {
  createLimiter as hiddenLimiter,
  type LimiterSpec,
  rateLimitHeaders,
  retryAfterHeaders,
} from "../emulator/limiters.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { prng } from "../support/prng.ts";
import { never } from "./client.ts";

// The limiter against limits that it cannot see, in virtual time: close to the limit, and seldom refused.

const CONCURRENCY = 16;
const HORIZON_MS = 300_000;
const SEEDS = [11, 12];
const LEAST_SHARE = 0.9;
const MOST_REFUSED = 0.05;
const START = Date.UTC(2026, 0, 1);

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
  readonly horizonMs?: number;
  readonly seed: number;
  /** What a run before this one has learned. */
  readonly learned?: Learned;
  /** In place of ours. */
  readonly limiter?: Pick<Limiter, "acquire">;
  /** Ends after this many accepted requests. */
  readonly requests?: number;
}

/** Sixteen workers that always have a next request. */
async function simulate({ limit, later, rttMs, seed, horizonMs = HORIZON_MS, learned, ...more }: Scenario) {
  const clock = fakeClock({ auto: true, now: learned?.notedAt ?? START });
  const { next, int } = prng(seed);
  const random = { next, id: () => "" };
  const ours = createLimiter({ clock, random, concurrency: CONCURRENCY, maxRps: null });
  ours.begin(learned ?? null);
  const { limiter = ours, requests = Number.POSITIVE_INFINITY } = more;
  const phaseMs = int(60_000); // of the service's clock, by which it divides time into windows
  const services = [limit, later ?? limit].map((spec) => (spec === null ? null : serviceOf(spec)));
  const count = { accepted: 0, refused: 0 };
  const work = async () => {
    while (clock.monotonic() < horizonMs && count.accepted < requests) {
      const permit = await limiter.acquire(never);
      await clock.sleep(rttMs * 0.05 * (0.8 + 0.4 * next()));
      const backMs = rttMs * 0.95 * (0.8 + 0.4 * next());
      const how =
        services[clock.monotonic() < horizonMs / 2 ? 0 : 1]?.(clock.monotonic() + phaseMs, backMs) ?? ANSWERED;
      await clock.sleep(backMs);
      count[how.kind === "refused" ? "refused" : "accepted"] += clock.monotonic() < horizonMs ? 1 : 0;
      permit.release(how);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { ...count, endedMs: clock.monotonic(), learned: ours.learned() };
}

const ANSWERED: Answered = { kind: "answered", quota: null };

/** Gives the service's answer to a request, as the program reads it. */
function serviceOf(spec: LimiterSpec): (nowMs: number, latencyMs: number) => Answered {
  const limiter = hiddenLimiter(spec);
  return (nowMs, latencyMs) => {
    const waitMs = limiter.refuse(nowMs, latencyMs);
    const told = waitMs === null ? {} : retryAfterHeaders(spec, nowMs, waitMs);
    const headers: Readonly<Record<string, string>> = { ...rateLimitHeaders(spec, limiter, nowMs), ...told };
    const status = waitMs === null ? 200 : 429;
    return answeredBy({ kind: "answer", status, body: "", header: (name) => headers[name] }, nowMs);
  };
}

interface Cell {
  readonly limit: LimiterSpec;
  readonly rttMs: number;
  readonly perSecond: number;
}

/** Over the seeds: accepted requests, as a share of what could pass; refused ones, of those sent. */
async function measure({ limit, rttMs, perSecond }: Cell) {
  const possible = Math.min(perSecond, (1000 * CONCURRENCY) / rttMs);
  const horizonMs = Math.max(HORIZON_MS, 1_000_000 / possible);
  const outcomes = await Promise.all(SEEDS.map((seed) => simulate({ limit, rttMs, horizonMs, seed })));
  const [accepted, refused] = [sum(outcomes, "accepted"), sum(outcomes, "refused")];
  const share = accepted / (possible * SEEDS.length * (horizonMs / 1000));
  return { share, refused: refused / (accepted + refused) };
}

type Outcome = Awaited<ReturnType<typeof simulate>>;

function sum(outcomes: readonly Outcome[], of: "accepted" | "refused"): number {
  return outcomes.reduce((all, one) => all + one[of], 0);
}

const windows = (kind: "fixed-window" | "sliding-window", seconds: number, perSecond: number) =>
  ({ kind, limit: perSecond * seconds, windowMs: 1000 * seconds }) as const;
const bucket = (ratePerSecond: number) => ({ kind: "token-bucket", ratePerSecond, burst: 20 }) as const;
const TOLD = { retryAfter: "seconds" } as const;

const LIMITS: Readonly<Record<string, (perSecond: number) => LimiterSpec>> = {
  "token bucket": bucket,
  "token bucket, Retry-After": (perSecond) => ({ ...bucket(perSecond), ...TOLD }),
  "fixed window of a second": (perSecond) => windows("fixed-window", 1, perSecond),
  "fixed window of a minute, Retry-After": (perSecond) => ({ ...windows("fixed-window", 60, perSecond), ...TOLD }),
  "sliding window of ten seconds": (perSecond) => windows("sliding-window", 10, perSecond),
};

const CELLS = Object.entries(LIMITS).flatMap(([name, limit]) =>
  [20, 150].flatMap((rttMs) => [2, 10, 50].map((perSecond) => ({ name, limit: limit(perSecond), rttMs, perSecond }))),
);

const CAP = { name: "a cap on requests in flight", limit: { kind: "concurrency", limit: 4 }, rttMs: 150 } as const;

test.each<Cell & { readonly name: string }>([...CELLS, { ...CAP, perSecond: 4000 / 150 }])(
  "$name, $perSecond a second, $rttMs ms: at least 90 % of the limit, at most 5 % refused",
  async (cell) => {
    const { share, refused } = await measure(cell);
    expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
    expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
  },
);

test.each([2, 10, 50])("%d a second, and answers that say how many are left: seldom refused", async (perSecond) => {
  const limit = { ...windows("fixed-window", 60, perSecond), tells: true } as const;
  const { share, refused } = await measure({ limit, rttMs: 150, perSecond });
  expect(share).toBeGreaterThanOrEqual(LEAST_SHARE);
  expect(refused).toBeLessThanOrEqual(0.015);
});

test("a ban that grows with each refusal: at least half of what a single chain gets", async () => {
  const limit = { kind: "ban", ratePerSecond: 10, burst: 5, banMs: 2000, growth: 2, ...TOLD } as const;
  // A chain that waits for each answer gets a request through every 150 ms, and is never refused.
  const { share } = await measure({ limit, rttMs: 150, perSecond: 10 });
  expect(10 * share).toBeGreaterThanOrEqual(1000 / 150 / 2);
});

test.each([
  [10, 5],
  [10, 50],
])(
  "a limit that changes from %d to %d a second: at least four fifths of both, seldom refused",
  async (before, after) => {
    for (const seed of SEEDS) {
      const { accepted, refused } = await simulate({ limit: bucket(before), later: bucket(after), rttMs: 150, seed });
      expect(accepted / (((before + after) / 2) * (HORIZON_MS / 1000))).toBeGreaterThanOrEqual(0.8);
      expect(refused / (accepted + refused)).toBeLessThanOrEqual(MOST_REFUSED);
    }
  },
);

test("without a limit: at most 1.15 times as long as without a limiter", async () => {
  const free = { acquire: () => Promise.resolve({ release: () => undefined }) };
  for (const seed of SEEDS) {
    const size = { limit: null, rttMs: 50, requests: 800, seed };
    const [paced, unpaced] = [await simulate(size), await simulate({ ...size, limiter: free })];
    expect(paced.endedMs / unpaced.endedMs).toBeLessThanOrEqual(1.15);
  }
});

test.each([2, 10])(
  "the second of two runs of %d a second gets at most 0.6 times as many refusals, and reaches the limit at once",
  async (rate) => {
    const play = { limit: bucket(rate), rttMs: 150 };
    const first: Outcome[] = [];
    const second: Outcome[] = [];
    for (const seed of SEEDS) {
      const short = { ...play, seed: seed + 1000, horizonMs: 60_000 };
      const { learned } = await simulate({ ...play, seed });
      first.push(await simulate(short));
      second.push(await simulate({ ...short, learned }));
    }
    expect(sum(second, "refused")).toBeLessThanOrEqual(0.6 * sum(first, "refused"));
    expect(sum(second, "accepted")).toBeGreaterThanOrEqual(LEAST_SHARE * SEEDS.length * rate * 60);
  },
);

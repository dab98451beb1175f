import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { answerOf, ask } from "./asking.ts";
import { createEmulator, SAMPLE_TOKEN } from "./core.ts";
import { createLimiter, type LimiterSpec, retryAfterHeaders } from "./limiters.ts";

const PATH = "/api/v1/completed-orders";
const GAPS = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 40, maxLength: 120 });

/** Times at which requests pass that come after the given gaps. */
function passed(spec: LimiterSpec, gaps: readonly number[]): number[] {
  const limiter = createLimiter(spec);
  let nowMs = 0;
  return gaps.flatMap((gap) => {
    nowMs += gap;
    return limiter.refuse(nowMs, 0) === null ? [nowMs] : [];
  });
}

const mostWithin = (times: readonly number[], windowMs: number) =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length));

describe("limiters", () => {
  test.prop([GAPS])("a sliding window never lets more than its limit pass in any window", (gaps) => {
    expect(mostWithin(passed({ kind: "sliding-window", limit: 5, windowMs: 1000 }, gaps), 1000)).toBeLessThanOrEqual(5);
  });

  test.prop([GAPS])("a fixed window lets at most its limit pass in each window of the clock", (gaps) => {
    const times = passed({ kind: "fixed-window", limit: 5, windowMs: 1000 }, gaps);
    const windows = Map.groupBy(times, (time) => Math.floor(time / 1000));
    expect(Math.max(0, ...[...windows.values()].map((window) => window.length))).toBeLessThanOrEqual(5);
  });

  test.prop([GAPS])("a token bucket lets at most its burst and its rate pass in any time", (gaps) => {
    const times = passed({ kind: "token-bucket", ratePerSecond: 4, burst: 3 }, gaps);
    for (const windowMs of [500, 1000, 5000]) {
      expect(mostWithin(times, windowMs)).toBeLessThanOrEqual(3 + (4 * windowMs) / 1000);
    }
  });

  test.prop([
    GAPS,
    fc.constantFrom<LimiterSpec>(
      { kind: "token-bucket", ratePerSecond: 4, burst: 3 },
      { kind: "fixed-window", limit: 5, windowMs: 1000 },
      { kind: "sliding-window", limit: 5, windowMs: 1000 },
      { kind: "concurrency", limit: 2, holdMs: 300 },
    ),
  ])("a request that waits as long as it is told passes", (gaps, spec) => {
    const limiter = createLimiter(spec);
    let nowMs = 0;
    for (const gap of gaps) {
      nowMs += gap;
      const waitMs = limiter.refuse(nowMs, 0);
      if (waitMs !== null) {
        nowMs += Math.ceil(waitMs);
        expect(limiter.refuse(nowMs, 0)).toBeNull();
      }
    }
  });

  it("a concurrency cap counts requests by their latency", () => {
    const limiter = createLimiter({ kind: "concurrency", limit: 2 });
    expect([limiter.refuse(0, 100), limiter.refuse(10, 100), limiter.refuse(20, 100)]).toEqual([null, null, 80]);
    expect(limiter.refuse(100, 100)).toBeNull();
  });

  it("a ban grows with every request made during it", () => {
    const limiter = createLimiter({ kind: "ban", ratePerSecond: 1, burst: 1, banMs: 1000, growth: 2 });
    expect([0, 10, 20, 30].map((nowMs) => limiter.refuse(nowMs, 0))).toEqual([null, 1000, 2000, 4000]);
    expect(limiter.refuse(4029, 0)).toBe(8000);
    expect(limiter.refuse(12_029, 0)).toBeNull();
  });

  it("say how long to wait in seconds, as a date, or not at all", () => {
    const spec = { kind: "fixed-window", limit: 1, windowMs: 1 } as const;
    expect(retryAfterHeaders(spec, 0, 1500)).toEqual({});
    expect(retryAfterHeaders({ ...spec, retryAfter: "seconds" }, 0, 1500)).toEqual({ "retry-after": "2" });
    // RFC 9110, 5.6.7
    expect(retryAfterHeaders({ ...spec, retryAfter: "http-date" }, Date.UTC(1994, 10, 6, 8, 49, 35), 1500)).toEqual({
      "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT",
    });
  });
});

describe("the emulator with limits", () => {
  const limits: readonly LimiterSpec[] = [{ kind: "fixed-window", limit: 2, windowMs: 60_000, retryAfter: "seconds" }];

  it("answers 429 to what is too much, for each token by itself, and again passes in time", () => {
    const emulator = createEmulator({ switches: { limits }, tokens: [SAMPLE_TOKEN, "other"] });
    const status = (nowMs: number, token = SAMPLE_TOKEN) => answerOf(emulator, { path: PATH, token }, nowMs).status;
    expect([status(0), status(1), status(2), status(3, "other"), status(60_000)]).toEqual([200, 200, 429, 200, 200]);
    expect(emulator.log.byOutcome["429"]).toBe(1);
  });

  it("says Retry-After", () => {
    const emulator = createEmulator({ switches: { limits } });
    const answers = [0, 1, 2].map((nowMs) => ask(emulator, { path: PATH }, nowMs));
    expect(answers.at(-1)).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
  });
});

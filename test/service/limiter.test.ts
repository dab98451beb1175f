import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/core/errors.ts";
import { createLimiter, type LimiterOptions, type Permit } from "../../lambda/service/limiter.ts";
import type { Answered } from "../../lambda/service/rate-state.ts";
import type { Learned } from "../../lambda/service/service.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { constantRandom, errorOf, never } from "./client.ts";

const ANSWERED: Answered = { kind: "answered", quota: null };

function refusedFor(retryAfterMs: number | null): Answered {
  return { kind: "refused", retryAfterMs };
}

/**
 * A limiter on a fake clock. `ask` requests `count` permits at once; `granted` holds those given so far, with
 * the time of each.
 */
function harness({ clock = fakeClock(), ...options }: Partial<LimiterOptions> & { clock?: FakeClock } = {}) {
  const limiter = createLimiter({ clock, random: constantRandom(0.5), concurrency: 4, maxRps: null, ...options });
  const granted: { permit: Permit; at: number }[] = [];
  const refused: unknown[] = [];
  const ask = (count: number, signal = never): void => {
    for (let index = 0; index < count; index += 1) {
      limiter.acquire(signal).then(
        (permit) => granted.push({ permit, at: clock.monotonic() }),
        (error: unknown) => refused.push(error),
      );
    }
  };
  const release = (index: number, how: Answered) => granted[index]?.permit.release(how);
  return { clock, limiter, granted, refused, ask, release };
}

describe("the knowledge of the limit", () => {
  const NOON = Date.UTC(2026, 0, 1);
  const learnt = (fields: Partial<Learned>): Learned => ({
    ratePerSecond: null,
    pausedUntil: null,
    notedAt: NOON,
    ...fields,
  });

  test("sets the next run's first rate, to 0.8 of the learned one", async () => {
    const { clock, limiter, granted, ask, release } = harness();
    limiter.begin(learnt({ ratePerSecond: 5 }));
    ask(3);
    await clock.advance(50);
    release(0, ANSWERED);
    await clock.advance(1000);
    expect(granted.map(({ at }) => at)).toEqual([0, 250, 500]);
  });

  test("holds a pause, by wall time: a run that begins during the pause waits for its end and then sends one request", async () => {
    const first = harness();
    first.ask(1);
    await first.clock.advance(0);
    first.release(0, refusedFor(1_800_000));
    await first.clock.advance(600_000);
    const learned = first.limiter.learned();
    expect(learned).toEqual({ ratePerSecond: null, notedAt: NOON + 600_000, pausedUntil: NOON + 1_800_000 });

    const second = harness({ clock: fakeClock({ now: NOON + 900_000 }) });
    second.limiter.begin(learned);
    expect(second.limiter.hasRoom()).toBe(false);
    second.ask(3);
    await second.clock.advance(899_999);
    expect(second.granted).toHaveLength(0);
    await second.clock.advance(1);
    expect(second.granted).toHaveLength(1);
  });

  test.each([
    ["is over", { notedAt: NOON - 3_600_000, pausedUntil: NOON }, 0],
    ["lasts more than a day is cut to a day", { notedAt: NOON, pausedUntil: NOON + 365 * 86_400_000 }, 86_400_000],
    ["was noted in the future, by a wrong clock, is ignored", { notedAt: NOON + 1, pausedUntil: NOON + 3_600_000 }, 0],
    ["is not a number is ignored", { notedAt: NOON, pausedUntil: "soon" as unknown as number }, 0],
  ])("a pause that %s", async (_, fields, waitMs) => {
    const { clock, limiter, granted, ask } = harness({ maxWaitMs: 1e9 });
    limiter.begin(learnt(fields));
    ask(1);
    await clock.advance(waitMs - 1);
    expect(granted).toHaveLength(waitMs === 0 ? 1 : 0);
    await clock.advance(1);
    expect(granted).toHaveLength(1);
  });

  test.each([Number.NaN, 0, "fast" as unknown as number])("a rate of %s is ignored", async (ratePerSecond) => {
    const { clock, limiter, granted, ask, release } = harness();
    limiter.begin(learnt({ ratePerSecond }));
    ask(2);
    await clock.advance(50);
    release(0, ANSWERED);
    await clock.advance(1000);
    expect(granted).toHaveLength(2);
    expect(limiter.learned().ratePerSecond).toBeNull();
  });

  test("a late answer of the last run does not count in the next run", async () => {
    const { clock, limiter, ask, granted, release } = harness({ concurrency: 1 });
    ask(1);
    await clock.advance(0);
    limiter.begin(learnt({ ratePerSecond: 5 }));
    release(0, refusedFor(60_000));
    ask(1);
    await clock.advance(0);
    expect(granted).toHaveLength(2);
  });
});

test("a limiter has room only if a request would be sent at once: not beside the first one, and not before the rate allows it", async () => {
  const { clock, limiter, granted, ask, release } = harness({ maxRps: 4 });
  expect(limiter.hasRoom()).toBe(true);
  ask(1);
  await clock.advance(0);
  await clock.advance(300);
  expect(limiter.hasRoom()).toBe(false); // the first request runs alone
  release(0, ANSWERED);
  expect(limiter.hasRoom()).toBe(true);
  ask(1);
  await clock.advance(249);
  expect(granted).toHaveLength(2);
  expect(limiter.hasRoom()).toBe(false); // four a second
  await clock.advance(1);
  expect(limiter.hasRoom()).toBe(true);
});

describe("a refusal", () => {
  test("without a time doubles the wait with each refused probe, up to 30 s", async () => {
    const { clock, granted, ask, release } = harness({ concurrency: 1 });
    ask(12);
    for (let index = 0; index < 9; index += 1) {
      await clock.advance(40_000);
      release(index, refusedFor(null));
    }
    await clock.advance(40_000);
    const released = granted.map((_, index) => 40_000 * (index + 1));
    const waits = granted.slice(1).map(({ at }, index) => at - (released[index] ?? 0));
    // 500 ms, doubled each time. The wait is half of that and a random share of the other half; the random
    // number here is 0.5.
    expect(waits).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500]);
  });

  test("for longer than the rest of the run is reported at once, to all that wait and to later requests", async () => {
    const { clock, limiter, refused, ask, release } = harness();
    limiter.begin(null, () => 40_000 - clock.monotonic());
    ask(3);
    await clock.advance(10_000);
    release(0, refusedFor(7_200_000));
    await clock.advance(0);
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({
      kind: "incomplete",
      message: "the service asks for a wait of 7200 s, longer than the 30 s that this run can wait",
      hint: "what was read is kept; run again after 2026-01-01T02:00:10.000Z",
      waitMs: 7_200_000,
    });
    ask(1);
    await clock.advance(0);
    expect(refused).toHaveLength(3);
  });

  test("that ends with the run is waited for", async () => {
    const { clock, limiter, refused, granted, ask, release } = harness();
    limiter.begin(null, () => 40_000 - clock.monotonic());
    ask(2);
    await clock.advance(10_000);
    release(0, refusedFor(30_000));
    await clock.advance(30_000);
    expect([refused.length, granted.length]).toEqual([0, 2]);
  });
});

test("an aborted wait ends at once, and the others go on", async () => {
  const { clock, limiter, granted, ask, release } = harness({ concurrency: 1 });
  ask(1);
  await clock.advance(0);
  const stop = new AbortController();
  const stopped = errorOf(limiter.acquire(stop.signal));
  ask(1);
  release(0, refusedFor(10_000));
  stop.abort();
  expect(await stopped).toBeInstanceOf(StoppedError);
  await clock.advance(10_000);
  expect(granted).toHaveLength(2);
});

test("requests that the limiter did not delay do not raise the rate, on a clock that moves between two readings", async () => {
  const clock = fakeClock();
  let ms = 0;
  const ticking: FakeClock = {
    ...clock,
    monotonic: () => {
      ms += 0.001;
      return ms;
    },
  };
  const { limiter } = harness({ clock: ticking });
  limiter.begin({ ratePerSecond: 10, notedAt: ticking.now(), pausedUntil: null });
  for (let count = 0; count < 500; count += 1) {
    const permit = await limiter.acquire(never);
    ms += 100;
    permit.release(ANSWERED);
    ms += 10_000;
  }
  expect(limiter.learned().ratePerSecond).toBe(10);
});

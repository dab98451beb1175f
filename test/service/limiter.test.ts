import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/errors.ts";
import { type Answered, createLimiter, type LimiterOptions, type Permit } from "../../lambda/service/limiter.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { constantRandom, errorOf, never } from "./client.ts";

const ANSWERED: Answered = { kind: "answered" };

function refusedFor(retryAfterMs: number | null): Answered {
  return { kind: "refused", retryAfterMs };
}

/** Asks for `count` permits at once; those granted so far, with the time of each. */
function harness(options: Partial<LimiterOptions> = {}) {
  const clock: FakeClock = fakeClock();
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
  const release = (index: number, how: Answered): void => granted[index]?.permit.release(how);
  return { clock, limiter, granted, refused, ask, release };
}

test("no more in flight than the concurrency", async () => {
  const { clock, granted, ask, release } = harness({ concurrency: 2 });
  ask(5);
  await clock.advance(0);
  expect(granted).toHaveLength(2);
  release(0, ANSWERED);
  await clock.advance(0);
  expect(granted).toHaveLength(3);
});

test("the requests a second that the user allows, whatever is free", async () => {
  const { clock, granted, ask } = harness({ concurrency: 64, maxRps: 4 });
  ask(9);
  await clock.advance(10_000);
  expect(granted.map(({ at }) => at)).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000]);
});

describe("a refusal", () => {
  test("pauses every send for all that was asked, then lets one probe through, then opens up", async () => {
    const { clock, granted, ask, release } = harness();
    ask(20);
    await clock.advance(0);
    release(0, refusedFor(301_000));
    for (const index of [1, 2, 3]) {
      release(index, ANSWERED);
    }
    await clock.advance(300_999);
    expect(granted).toHaveLength(4);
    await clock.advance(1);
    expect(granted).toHaveLength(5); // the probe
    await clock.advance(60_000);
    expect(granted).toHaveLength(5);
    release(4, ANSWERED);
    await clock.advance(0);
    expect(granted).toHaveLength(7); // two
    release(5, ANSWERED);
    release(6, ANSWERED);
    await clock.advance(0);
    expect(granted).toHaveLength(11); // four
  });

  test("waits for those in flight before it probes", async () => {
    const { clock, granted, ask, release } = harness({ concurrency: 2 });
    ask(3);
    await clock.advance(0);
    release(0, refusedFor(1000));
    await clock.advance(5000);
    expect(granted).toHaveLength(2);
    release(1, ANSWERED);
    await clock.advance(0);
    expect(granted).toHaveLength(3);
  });

  test("that says no time doubles with each probe refused, up to 30 s", async () => {
    const { clock, granted, ask, release } = harness({ concurrency: 1 });
    ask(12);
    for (let index = 0; index < 9; index += 1) {
      await clock.advance(40_000);
      release(index, refusedFor(null));
    }
    await clock.advance(40_000);
    const released = granted.map((_, index) => 40_000 * (index + 1));
    const waits = granted.slice(1).map(({ at }, index) => at - (released[index] ?? 0));
    // half of 500 ms doubled, and half of the other half: the random draw is 0.5
    expect(waits).toEqual([375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500]);
  });

  test("of several sent together counts once, and the longest wait holds", async () => {
    const { clock, granted, ask, release } = harness();
    ask(6);
    await clock.advance(0);
    release(0, refusedFor(2000));
    release(1, refusedFor(5000));
    release(2, refusedFor(1000));
    release(3, refusedFor(null));
    await clock.advance(4999);
    expect(granted).toHaveLength(4);
    await clock.advance(1);
    expect(granted).toHaveLength(5);
    release(4, refusedFor(null)); // the second in a row: 1000 × 3/4
    await clock.advance(749);
    expect(granted).toHaveLength(5);
    await clock.advance(1);
    expect(granted).toHaveLength(6);
  });

  test("a Retry-After of zero does not make a busy loop", async () => {
    const { clock, granted, ask, release } = harness({ concurrency: 1 });
    ask(2);
    await clock.advance(0);
    release(0, refusedFor(0));
    await clock.advance(374);
    expect(granted).toHaveLength(1);
    await clock.advance(1);
    expect(granted).toHaveLength(2);
  });

  test("without an answer the probe is followed by another, not by all", async () => {
    const { clock, granted, ask, release } = harness();
    ask(10);
    await clock.advance(0);
    release(0, refusedFor(1000));
    for (const index of [1, 2, 3]) {
      release(index, ANSWERED);
    }
    await clock.advance(1000);
    release(4, { kind: "failed" });
    await clock.advance(0);
    expect(granted).toHaveLength(6);
  });

  test("longer than the run waits: said at once, to all that wait", async () => {
    const { clock, refused, ask, release } = harness({ maxWaitMs: 60_000 });
    ask(6);
    await clock.advance(0);
    release(0, refusedFor(7_200_000));
    await clock.advance(0);
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({
      kind: "incomplete",
      message: "the service asks to wait 7200 s, longer than the 60 s that a run waits",
      hint: "what was walked is kept; run again after that time",
    });
  });
});

test("a wait ends at once with its signal, and the others go on", async () => {
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

test("a signal that has aborted before", async () => {
  const { limiter, clock } = harness();
  expect(await errorOf(limiter.acquire(AbortSignal.abort()))).toBeInstanceOf(StoppedError);
  expect(clock.sleeping).toEqual([]);
});

test("nothing is slept for when nobody waits any more", async () => {
  const { clock, limiter } = harness({ maxRps: 1 });
  (await limiter.acquire(never)).release(ANSWERED);
  const stop = new AbortController();
  const stopped = errorOf(limiter.acquire(stop.signal));
  expect(clock.sleeping).toEqual([1000]);
  stop.abort();
  await stopped;
  expect(clock.sleeping).toEqual([]);
});

test("a permit counts once", async () => {
  const { limiter } = harness();
  const permit = await limiter.acquire(never);
  permit.release(ANSWERED);
  expect(() => permit.release(ANSWERED)).toThrow("released twice");
});

import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/errors.ts";
import { fakeClock } from "./fake-clock.ts";

describe("fakeClock", () => {
  test("nothing wakes before its time, and all in the order of their times", async () => {
    const clock = fakeClock({ now: 1000 });
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    const sleeps = [sleep("b", 20), sleep("a", 10), sleep("c", 30).then(() => sleep("d", 5))];
    expect(clock.sleeping).toEqual([10, 20, 30]);
    await clock.advance(9);
    expect(woken).toEqual([]);
    await clock.advance(100);
    await Promise.all(sleeps);
    expect(woken).toEqual([
      ["a", 1010],
      ["b", 1020],
      ["c", 1030],
      ["d", 1035],
    ]);
    expect(clock.monotonic()).toBe(109);
    expect(clock.slept).toEqual([20, 10, 30, 5]);
  });

  test("a sleep ends with its signal", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const sleep = clock.sleep(10, stop.signal);
    stop.abort();
    await expect(sleep).rejects.toBeInstanceOf(StoppedError);
    await expect(clock.sleep(10, stop.signal)).rejects.toBeInstanceOf(StoppedError);
    expect(clock.sleeping).toEqual([]);
  });

  test("by itself, an hour takes no time", async () => {
    const clock = fakeClock({ auto: true });
    await Promise.all([clock.sleep(3_600_000), clock.sleep(1)]);
    expect(clock.monotonic()).toBe(3_600_000);
  });
});

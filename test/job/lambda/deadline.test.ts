import { describe, expect, test } from "vitest";
import { StoppedError } from "../../../lambda/core/errors.ts";
import { watchDeadline } from "../../../lambda/job/lambda/deadline.ts";
import { fakeClock } from "../../support/fake-clock.ts";

describe("the deadline of a slice", () => {
  test.each([
    ["a full slice stops 30 s before", 900_000, 870_000],
    ["a short one keeps a fifth", 10_000, 8000],
    ["the margin never exceeds 30 s", 150_000, 120_000],
  ])("%s", async (_, limitMs, stopsAtMs) => {
    const clock = fakeClock();
    const { signal, leftMs } = watchDeadline(clock, () => limitMs - clock.monotonic());
    expect(leftMs()).toBe(stopsAtMs);
    await clock.advance(stopsAtMs - 1);
    expect([signal.aborted, leftMs()]).toEqual([false, 1]);
    await clock.advance(1);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(StoppedError);
  });

  test("asks again on waking, because a timer may be early", async () => {
    const clock = fakeClock();
    let lateMs = 5000; // the runtime's clock lags behind ours at first
    const { signal } = watchDeadline(clock, () => 100_000 - clock.monotonic() + lateMs);
    await clock.advance(80_000);
    lateMs = 0;
    expect(signal.aborted).toBe(false);
    await clock.advance(5000);
    expect(signal.aborted).toBe(true);
  });

  test("leaves no timer and never aborts after it is cancelled", async () => {
    const clock = fakeClock();
    const { signal, cancel } = watchDeadline(clock, () => 900_000 - clock.monotonic());
    expect(clock.sleeping).toEqual([870_000]);
    cancel();
    await clock.advance(900_000);
    expect(clock.sleeping).toEqual([]);
    expect(signal.aborted).toBe(false);
  });
});

import { expect, test } from "vitest";
import { systemClock } from "../lambda/clock.ts";
import { StoppedError } from "../lambda/errors.ts";

const LONG_MS = 1_000_000_000;

test("a sleep ends by itself, and is not ended by what happens to its signal afterwards", async () => {
  const stop = new AbortController();
  const before = systemClock.monotonic();
  await systemClock.sleep(1, stop.signal);
  expect(systemClock.monotonic()).toBeGreaterThan(before);
  stop.abort();
});

test.each([
  ["another reason", new Error("other"), expect.any(StoppedError)],
  ["no reason", undefined, expect.any(StoppedError)],
])("a sleep that is stopped for %s ends in a StoppedError", async (_, reason, error) => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(LONG_MS, stop.signal);
  stop.abort(reason);
  await expect(sleeping).rejects.toEqual(error);
  await expect(systemClock.sleep(LONG_MS, stop.signal)).rejects.toEqual(error);
});

test("a signal's own StoppedError is what its sleep ends in", async () => {
  const reason = new StoppedError("the time is up");
  await expect(systemClock.sleep(LONG_MS, AbortSignal.abort(reason))).rejects.toBe(reason);
});

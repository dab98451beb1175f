import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/model/time.ts";
import { assumedAfter, limitsAfterAnswer, limitsAfterRefusal } from "../../lambda/walk/outcome.ts";
import { freshWindow, MARGIN_MS } from "../../lambda/walk/plan.ts";

const window = (fromDay: number, toDay: number) => freshWindow({ from: fromDay * DAY_MS, to: toDay * DAY_MS });
const days = (count: number) => count * DAY_MS + 2 * MARGIN_MS;

describe("what refusals of dates show", () => {
  const wide = limitsAfterRefusal(window(0, 60));
  const narrower = limitsAfterRefusal(window(30, 60), wide);
  const taken = limitsAfterAnswer(window(45, 60), narrower);

  test("the narrowest range that is too wide, and the widest that is taken", () => {
    expect(wide).toEqual({ refusedMs: days(60), acceptedMs: 0, tooOld: null });
    expect(narrower.refusedMs).toBe(days(30));
    expect(taken).toEqual({ refusedMs: days(30), acceptedMs: days(15), tooOld: null });
  });

  test("a date that is too old, where as wide a range was taken", () => {
    const old = limitsAfterRefusal(window(0, 15), taken);
    expect(old).toEqual({ ...taken, tooOld: 0 });
    expect(limitsAfterRefusal(window(7, 15), old).tooOld).toBe(7 * DAY_MS);
  });
});

describe("what is assumed", () => {
  test("is one range where windows of silence that are as wide stand side by side", () => {
    const first = assumedAfter([], { from: 0, to: 10 }, 10);
    expect(assumedAfter(first, { from: 10, to: 20 }, 10)).toEqual([{ from: 0, to: 20, widthMs: 10 }]);
    expect(assumedAfter(first, { from: 10, to: 22 }, 12)).toEqual([
      { from: 0, to: 10, widthMs: 10 },
      { from: 10, to: 22, widthMs: 12 },
    ]);
  });

  test("is less by all that narrower windows, or others that leave nothing to assume, have covered since", () => {
    const assumed = assumedAfter([], { from: 0, to: 30 }, 30);
    expect(assumedAfter(assumed, { from: 10, to: 20 }, 0)).toEqual([
      { from: 0, to: 10, widthMs: 30 },
      { from: 20, to: 30, widthMs: 30 },
    ]);
    expect(assumedAfter(assumed, { from: 0, to: 7 }, 7)).toEqual([
      { from: 0, to: 7, widthMs: 7 },
      { from: 7, to: 30, widthMs: 30 },
    ]);
  });
});

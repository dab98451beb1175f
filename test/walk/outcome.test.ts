import { describe, expect, test } from "vitest";
import { assumedAfter } from "../../lambda/walk/outcome.ts";

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

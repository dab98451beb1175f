import { describe, expect, test } from "vitest";
import { assumedAfter } from "../../lambda/walk/outcome.ts";

describe("assumed silence", () => {
  test("joins adjacent silent windows of the same width", () => {
    const first = assumedAfter([], { from: 0, to: 10 }, 10);
    expect(assumedAfter(first, { from: 10, to: 20 }, 10)).toEqual([{ from: 0, to: 20, widthMs: 10 }]);
    expect(assumedAfter(first, { from: 10, to: 22 }, 12)).toEqual([
      { from: 0, to: 10, widthMs: 10 },
      { from: 10, to: 22, widthMs: 12 },
    ]);
  });

  test("shrinks where narrower windows, or windows that need no assumption, have covered since", () => {
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

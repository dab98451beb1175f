import { expect, test } from "vitest";
import type { OpenWindow } from "../../lambda/archive/manifest.ts";
import { MINUTE_MS } from "../../lambda/core/time.ts";
import { ageOf, restarted } from "../../lambda/walk/resume.ts";
import { freshWindow } from "../../lambda/walk/window.ts";

const NOW = Date.UTC(2026, 0, 1);
const FRESH = freshWindow({ from: NOW - 10 * MINUTE_MS, to: NOW });
const BEGUN: OpenWindow = {
  ...FRESH,
  cursor: "",
  cursorAt: NOW - MINUTE_MS,
  pages: 158,
  pagesHash: "158 pages",
  rawResponses: ["pages/0", "pages/32"],
};

test("a window resumes at a young cursor, which may be empty", () => {
  expect(ageOf(BEGUN, NOW)).toBe("young");
  expect(ageOf({ ...BEGUN, dated: false }, NOW + 9 * MINUTE_MS)).toBe("young");
});

test("a window resumes at an old cursor too, because after waiting for a quota of hours it would read the same pages each time", () => {
  expect(ageOf(BEGUN, NOW + 10 * MINUTE_MS)).toBe("old");
  expect(ageOf(BEGUN, NOW + 23 * 60 * MINUTE_MS)).toBe("old");
});

test.each([
  ["whose cursor is a day old", BEGUN, NOW + 24 * 60 * MINUTE_MS],
  ["without dates whose cursor is old", { ...BEGUN, dated: false }, NOW + 10 * MINUTE_MS],
  ["whose cursor was given by a clock that is ahead", BEGUN, NOW - 2 * MINUTE_MS],
  ["whose chain had ended, so that none of its rows would be new", { ...BEGUN, cursor: null, cursorAt: null }, NOW],
])("a window %s begins again, with the same dates", (_, window, now) => {
  expect(ageOf(window, now)).toBe("dead");
  expect(restarted({ ...window, dated: true })).toEqual(FRESH);
  expect(restarted({ ...window, dated: false })).toEqual({ ...FRESH, dated: false });
});

test("a window that was split begins again with the dates that it kept", () => {
  const to = BEGUN.to - MINUTE_MS;
  expect(restarted({ ...BEGUN, to, cut: "to" })).toEqual(freshWindow({ from: BEGUN.from, to }));
});

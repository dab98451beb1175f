import { describe, expect, test } from "vitest";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import {
  afterBreak,
  askingsThatCount,
  brokenBy,
  halfBelieved,
  isBelieved,
  noSilence,
  type Silence,
  silentIn,
} from "../../lambda/walk/silence.ts";

const YEAR = { from: 0, to: 365 * DAY_MS };
const WEEK = { from: 7 * DAY_MS, to: 14 * DAY_MS };

function heard(times: number, range: TimeRange, silence = noSilence(false)): Silence {
  return Array.from({ length: times }).reduce<Silence>((one) => silentIn(one, range, range), silence);
}

const YEAR_MS = YEAR.to - YEAR.from;
const WEEK_MS = WEEK.to - WEEK.from;

describe("an empty answer", () => {
  test("is believed on the fourth request for its range, with two narrow ones among them", () => {
    expect(isBelieved(heard(2, YEAR), YEAR, YEAR_MS)).toBe(false);
    expect(isBelieved(heard(3, YEAR), YEAR, YEAR_MS)).toBe(true);
    expect(isBelieved(heard(3, YEAR), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(1, WEEK, heard(2, YEAR)), WEEK, WEEK_MS)).toBe(true);
    expect(isBelieved(heard(1, WEEK, heard(1, YEAR)), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(3, WEEK), YEAR, YEAR_MS)).toBe(false);
  });

  test("is believed only on the eighth request once such an answer was false, with four narrow ones among them", () => {
    const silence = afterBreak(heard(3, YEAR), "false");
    expect(silence.heard).toEqual([]);
    expect(isBelieved(heard(6, WEEK, silence), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(7, WEEK, silence), WEEK, WEEK_MS)).toBe(true);
    expect(isBelieved(heard(2, WEEK, heard(5, YEAR, silence)), WEEK, WEEK_MS)).toBe(false);
  });

  test("is requested narrowly after half of the requests", () => {
    const silence = heard(1, WEEK, heard(1, { from: 0, to: 10 * DAY_MS }));
    expect(halfBelieved(silence)).toEqual([{ from: WEEK.from, to: 10 * DAY_MS }]);
    expect(halfBelieved(heard(1, YEAR))).toEqual([]);
  });
});

describe("a row where there was silence", () => {
  const silence = silentIn(noSilence(false), WEEK, { from: 0, to: 30 * DAY_MS });

  test("shows a clamp if the request was wider than what is known to get a whole answer", () => {
    expect(brokenBy(silence, [WEEK.from], DAY_MS)).toBe("clamped");
    expect(afterBreak(silence, "clamped").needed).toBe(noSilence(false).needed);
  });

  test("shows a false answer if no clamp can have hidden the row", () => {
    expect(brokenBy(silence, [WEEK.from], 30 * DAY_MS)).toBe("false");
  });

  test("shows nothing if it lies elsewhere", () => {
    expect(brokenBy(silence, [WEEK.from - 1, WEEK.to], DAY_MS)).toBeNull();
  });
});

test("more requests for a range than needed are no progress", () => {
  const enough = heard(4, WEEK, heard(4, YEAR));
  expect(askingsThatCount(heard(3, WEEK, heard(4, YEAR)))).toBeLessThan(askingsThatCount(enough));
  expect(askingsThatCount(heard(9, WEEK, enough))).toBe(askingsThatCount(enough));
});

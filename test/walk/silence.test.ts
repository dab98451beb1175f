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
  test("is believed when its range was asked for four times, twice of them alone", () => {
    expect(isBelieved(heard(2, YEAR), YEAR, YEAR_MS)).toBe(false);
    expect(isBelieved(heard(3, YEAR), YEAR, YEAR_MS)).toBe(true);
    expect(isBelieved(heard(3, YEAR), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(1, WEEK, heard(2, YEAR)), WEEK, WEEK_MS)).toBe(true);
    expect(isBelieved(heard(1, WEEK, heard(1, YEAR)), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(3, WEEK), YEAR, YEAR_MS)).toBe(false);
  });

  test("is believed only the eighth time once such an answer was false, four times of them with no more than itself", () => {
    const silence = afterBreak(heard(3, YEAR), "false");
    expect(silence.heard).toEqual([]);
    expect(isBelieved(heard(6, WEEK, silence), WEEK, WEEK_MS)).toBe(false);
    expect(isBelieved(heard(7, WEEK, silence), WEEK, WEEK_MS)).toBe(true);
    expect(isBelieved(heard(2, WEEK, heard(5, YEAR, silence)), WEEK, WEEK_MS)).toBe(false);
  });

  test("is asked for narrowly once it came half of the times", () => {
    const silence = heard(1, WEEK, heard(1, { from: 0, to: 10 * DAY_MS }));
    expect(halfBelieved(silence)).toEqual([{ from: WEEK.from, to: 10 * DAY_MS }]);
    expect(halfBelieved(heard(1, YEAR))).toEqual([]);
  });
});

describe("a row where there was silence", () => {
  const silence = silentIn(noSilence(false), WEEK, { from: 0, to: 30 * DAY_MS });

  test("shows a clamp where more was asked for than is known to be answered whole", () => {
    expect(brokenBy(silence, [WEEK.from], DAY_MS)).toBe("clamped");
    expect(afterBreak(silence, "clamped").needed).toBe(noSilence(false).needed);
  });

  test("shows a false answer where no clamp can have hidden it", () => {
    expect(brokenBy(silence, [WEEK.from], 30 * DAY_MS)).toBe("false");
  });

  test("elsewhere shows nothing", () => {
    expect(brokenBy(silence, [WEEK.from - 1, WEEK.to], DAY_MS)).toBeNull();
  });
});

test("asking for a range more often than is needed is no progress", () => {
  const enough = heard(4, WEEK, heard(4, YEAR));
  expect(askingsThatCount(heard(3, WEEK, heard(4, YEAR)))).toBeLessThan(askingsThatCount(enough));
  expect(askingsThatCount(heard(9, WEEK, enough))).toBe(askingsThatCount(enough));
});

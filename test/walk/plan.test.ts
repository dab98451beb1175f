import { describe, expect, test } from "vitest";
import { type Coverage, emptyManifest, type Known } from "../../lambda/archive/manifest.ts";
import { width } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { coveredOnce, coveredTwice, type PlanRequest, planReading, windowsOf } from "../../lambda/walk/plan.ts";
import { NOW } from "../support/job.ts";

const day = (days: number) => NOW - days * DAY_MS;
const range = { from: day(100), to: NOW };
const REQUEST: PlanRequest = { range, lookBackMs: 7 * DAY_MS, alwaysLooksBack: false, again: false, now: NOW };
const KNOWN: Known = {
  ...emptyManifest("main").known,
  lookedBackAt: NOW - DAY_MS,
  lookedBackTo: NOW,
  rotatedAt: NOW - DAY_MS,
};
const read = (from: number, to: number, readings: 1 | 2 = 2): Coverage => ({ from, to, readings, silentIn: null });
const ALL = [read(range.from, range.to)];

test("what was never read comes first; what was read once waits", () => {
  const coverage = [read(day(90), day(50)), read(day(50), day(40), 1), read(day(40), day(30), 1)];
  expect(planReading(coverage, KNOWN, REQUEST).first).toEqual([
    { from: day(100), to: day(90) },
    { from: day(30), to: NOW },
  ]);
  expect(coveredTwice(coverage)).toEqual([{ from: day(90), to: day(50) }]);
  expect(coveredOnce(coverage, range)).toEqual([{ from: day(50), to: day(30) }]);
});

describe("the look-back", () => {
  const again = (known: Partial<Known>, request: Partial<PlanRequest> = {}) =>
    planReading(ALL, { ...KNOWN, ...known }, { ...REQUEST, ...request }).again;

  test("reads the newest days that were read twice, twice a day at most", () => {
    expect(again({})).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: NOW - 11 * HOUR_MS })).toEqual([]);
    expect(again({ lookedBackAt: NOW - 11 * HOUR_MS }, { alwaysLooksBack: true })).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: null })).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: NOW + HOUR_MS })).toEqual([{ from: day(7), to: NOW }]); // that clock was ahead
  });

  test("reads those, too, that were new when it was last done: they have not been read since", () => {
    const then = { lookedBackAt: NOW - HOUR_MS, lookedBackTo: day(30) };
    const both = [day(30), NOW].map((to) => ({ from: to - 7 * DAY_MS, to }));
    expect(again(then)).toEqual(both);
    const looksBack = (from: number, to = NOW) =>
      planReading(ALL, { ...KNOWN, ...then }, { ...REQUEST, range: { from, to } }).looksBack;
    expect([looksBack(day(37)), looksBack(day(36)), looksBack(day(100), day(31))]).toEqual([true, false, false]);
  });

  test("or all, if that is asked for", () => {
    expect(again({}, { again: true })).toEqual([range]);
  });
});

describe("the rotation", () => {
  const rotation = (known: Partial<Known>, request: Partial<PlanRequest> = {}) =>
    planReading(ALL, { ...KNOWN, ...known }, { ...REQUEST, ...request }).rotation;

  test("is due once a week, and not in the first one", () => {
    expect(rotation({ rotatedAt: null })).toBeNull();
    expect(rotation({ rotatedAt: NOW - 6 * DAY_MS })).toBeNull();
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS })).not.toBeNull();
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS }, { lookBackMs: 0 })).toBeNull();
    const period = { from: day(60), to: day(30) };
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS }, { range: period })).toBeNull(); // it is the turn of older times
  });

  test("reads all older times in a year, from the newest down, and begins again", () => {
    let rotatedTo: number | null = null;
    const pieces: { from: number; to: number }[] = [];
    for (let week = 0; week < 52; week += 1) {
      const piece = rotation({ rotatedAt: NOW - 7 * DAY_MS, rotatedTo });
      pieces.push(piece ?? { from: 0, to: 0 });
      rotatedTo = piece?.from ?? null;
    }
    expect([pieces[0]?.to, pieces.at(-1)?.from]).toEqual([day(7), day(100)]);
    expect(pieces.slice(1).map(({ to }) => to)).toEqual(pieces.slice(0, -1).map(({ from }) => from));
    expect(width(pieces)).toBe(93 * DAY_MS);
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS, rotatedTo })?.to).toBe(day(7));
  });
});

test("a range becomes windows of a year at most, the newest first, without gaps", () => {
  const windows = windowsOf({ from: 5, to: 5 + 800 * DAY_MS });
  expect(windows.map(({ from, to }) => Math.round((to - from) / DAY_MS))).toEqual([267, 267, 267]);
  expect([windows[0]?.to, windows.at(-1)?.from]).toEqual([5 + 800 * DAY_MS, 5]);
  expect(windows.slice(1).map(({ to }) => to)).toEqual(windows.slice(0, -1).map(({ from }) => from));
  expect(windowsOf({ from: 0, to: 1 })).toEqual([{ from: 0, to: 1 }]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { union } from "../../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS, isoTime, type TimeRange } from "../../../lambda/core/time.ts";
import { calendarOf } from "../../../lambda/web/views/coverage-calendar.ts";

/** Hour by hour: how much of each day before now is covered. Times are whole hours. */
function slowStates(coverage: readonly TimeRange[], now: number): Map<string, string> {
  const states = new Map<string, string>();
  const first = coverage.at(0);
  if (first === undefined) {
    return states;
  }
  const lastYear = Math.max(new Date(first.from).getUTCFullYear(), new Date(now).getUTCFullYear());
  const date = new Date(Date.UTC(new Date(first.from).getUTCFullYear(), 0, 1));
  while (date.getUTCFullYear() <= lastYear) {
    const hours = Array.from({ length: 24 }, (_, hour) => date.getTime() + hour * HOUR_MS).filter((hour) => hour < now);
    const covered = hours.filter((hour) => coverage.some(({ from, to }) => from <= hour && hour < to));
    const some = covered.length === 0 ? "none" : "partly";
    const state = covered.length === hours.length ? "covered" : some;
    states.set(date.toISOString().slice(0, 10), hours.length === 0 ? "future" : state);
    date.setUTCDate(date.getUTCDate() + 1);
  }
  return states;
}

function statesOf(coverage: readonly TimeRange[], now: number): Map<string, string> {
  const days = calendarOf(coverage, now).flatMap(({ year, months }) =>
    months.flat().map((state, at) => [isoTime(Date.UTC(year, 0, 1 + at)).slice(0, 10), state] as const),
  );
  return new Map(days);
}

const START = Date.UTC(2023, 10, 20);
const hour = fc.integer({ min: 0, max: 500 * 24 }).map((at) => START + at * HOUR_MS);
const coverage = fc
  .array(
    fc
      .tuple(hour, fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4000 })))
      .map(([from, hours]) => ({
        from,
        to: from + hours * HOUR_MS,
      })),
    { maxLength: 12 },
  )
  .map(union);

describe("the calendar", () => {
  test("agrees with a count hour by hour for each day, also over leap days", () => {
    fc.assert(
      fc.property(coverage, hour, (ranges, now) => {
        expect(statesOf(ranges, now)).toEqual(slowStates(ranges, now));
      }),
      { numRuns: 60 },
    );
  });

  test("has every month of every year with all its days, in order", () => {
    const years = calendarOf([{ from: Date.UTC(2015, 0, 1), to: Date.UTC(2025, 5, 1) }], Date.UTC(2025, 5, 1));
    expect(years.map(({ year }) => year)).toEqual(Array.from({ length: 11 }, (_, at) => 2015 + at));
    for (const { year, months } of years) {
      const lengths = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(year, at + 1, 0)).getUTCDate());
      expect(months.map(({ length }) => length)).toEqual(lengths);
    }
  });

  test("is empty without coverage", () => {
    expect(calendarOf([], Date.UTC(2025, 0, 1))).toEqual([]);
  });

  test("counts the part of today that has passed, to the ms", () => {
    const today = Date.UTC(2024, 1, 29);
    const now = today + 5 * HOUR_MS;
    const states = (to: number) => statesOf([{ from: today - DAY_MS, to }], now);
    expect(states(now).get("2024-02-29")).toBe("covered");
    expect(states(now - 1).get("2024-02-29")).toBe("partly");
    expect(states(today).get("2024-02-29")).toBe("none");
    expect(states(today).get("2024-03-01")).toBe("future");
    expect(states(today - 1).get("2024-02-28")).toBe("partly");
  });
});

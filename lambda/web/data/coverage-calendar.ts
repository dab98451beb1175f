import { DAY_MS, isoTime, type TimeRange } from "../../core/time.ts";
import type { CalendarDay, CalendarMonth, CalendarYear, DayState } from "../views/coverage-calendar.ts";

/**
 * All days of the years from the first that is covered to this one, UTC, oldest first; of what was never covered, no year. `coverage` as the archive has it;
 * `now`: ms UTC. Of the day that is running counts what has passed.
 */
export function calendarOf(coverage: readonly TimeRange[], now: number): CalendarYear[] {
  const first = coverage.at(0);
  if (first === undefined) {
    return [];
  }
  const covered = coveredMsOf(coverage, now);
  const stateOf = (day: number): DayState => stateOfDay(day, now, covered.get(day) ?? 0);
  const firstYear = yearOf(first.from);
  const years = Array.from({ length: Math.max(0, yearOf(now) - firstYear) + 1 }, (_, at) => firstYear + at);
  return years.map((year) => ({
    year: String(year),
    months: Array.from({ length: 12 }, (_, month) => monthOf(year, month, stateOf)),
  }));
}

/** Covered time before now, ms, by the number of the day since 1970. */
function coveredMsOf(coverage: readonly TimeRange[], now: number): Map<number, number> {
  const covered = new Map<number, number>();
  for (const { from, to } of coverage) {
    const end = Math.min(to, now);
    for (let start = from; start < end; ) {
      const day = Math.floor(start / DAY_MS);
      const next = Math.min(end, (day + 1) * DAY_MS);
      covered.set(day, (covered.get(day) ?? 0) + next - start);
      start = next;
    }
  }
  return covered;
}

function stateOfDay(day: number, now: number, coveredMs: number): DayState {
  const passedMs = Math.min(DAY_MS, now - day * DAY_MS);
  if (passedMs <= 0) {
    return "future";
  }
  if (coveredMs === 0) {
    return "none";
  }
  return coveredMs === passedMs ? "covered" : "partly";
}

/** `month` counts from 0. */
function monthOf(year: number, month: number, stateOf: (day: number) => DayState): CalendarMonth {
  const start = Date.UTC(year, month) / DAY_MS;
  const length = Date.UTC(year, month + 1) / DAY_MS - start;
  const days = Array.from({ length }, (_, at): CalendarDay => {
    const day = start + at;
    return { day: isoTime(day * DAY_MS).slice(0, 10), state: stateOf(day) };
  });
  return { month: isoTime(start * DAY_MS).slice(0, 7), days };
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

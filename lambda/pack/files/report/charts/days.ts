import type { Period } from "../../../../core/period.ts";
import { DAY_MS } from "../../../../core/time.ts";

/** A local date as a number of days, for a place on an axis: days are counted there, not hours. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** Days of a period, `[from, to)`. */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

export function daysOf({ firstDay, lastDay }: Period): DaySpan {
  return { from: dayNumber(firstDay), to: dayNumber(lastDay) + 1 };
}

const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Labels of months, `2025-03`, that follow one another: `Mar`, and the year at the first one and at each January. */
export function monthLabels(months: readonly string[]): { readonly label: string; readonly second?: string }[] {
  return months.map((month, at) => {
    const label = nameOf(month);
    return at === 0 || month.endsWith("-01") ? { label, second: month.slice(0, 4) } : { label };
  });
}

function nameOf(month: string): string {
  return NAMES[Number(month.slice(5)) - 1] ?? month;
}

export interface DayTick {
  /** Days of `DaySpan`. */
  readonly day: number;
  readonly label: string;
}

const MOST_TICKS = 14;
const WEEK = 7;

/** Where a time axis is labelled: by weeks, months or years, as there is room. */
export function dayTicks({ from, to }: DaySpan, months: readonly string[], most = MOST_TICKS): DayTick[] {
  if (to - from <= most * WEEK) {
    const step = to - from <= most ? 1 : WEEK;
    return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => {
      const day = from + at * step;
      return { day, label: new Date(day * DAY_MS).toISOString().slice(5, 10) };
    });
  }
  const every = Math.ceil(months.length / most);
  let year = "";
  return months.flatMap((month, at) => {
    if (at % every !== 0) {
      return [];
    }
    const isNewYear = month.slice(0, 4) !== year;
    year = month.slice(0, 4);
    const name = nameOf(month);
    const day = Math.max(from, dayNumber(`${month}-01`));
    return [{ day, label: isNewYear ? `${name} ${year}` : name }];
  });
}

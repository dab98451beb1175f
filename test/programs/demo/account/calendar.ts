import { DAY_MS, HOUR_MS } from "../../../../lambda/core/time.ts";

/** The account's year, in steps of five minutes. */
export const YEAR_FROM_MS = Date.UTC(2025, 0, 1);
export const STEP_MS = 5 * 60_000;
export const STEPS_PER_HOUR = HOUR_MS / STEP_MS;
export const STEPS_PER_DAY = DAY_MS / STEP_MS;
export const DAYS = 365;
export const STEPS = DAYS * STEPS_PER_DAY;

/**
 * From this day on, only the hedger opens positions. The others close theirs on the last exit day at the
 * latest.
 */
export const LAST_ENTRY_DAY = dayOf("2025-12-19");
export const LAST_EXIT_DAY = dayOf("2025-12-30");

/** Days without trading by the account. The markets are open every day. */
const HOLIDAYS = new Set(
  ["01-01", "01-20", "02-17", "04-18", "04-21", "05-26", "06-19", "07-04", "09-01", "11-27", "11-28"].map((date) =>
    dayOf(`2025-${date}`),
  ),
);

const HOLIDAY_WEEKS: readonly (readonly [first: number, last: number])[] = [
  [dayOf("2025-03-10"), dayOf("2025-03-14")],
  [dayOf("2025-08-04"), dayOf("2025-08-18")],
  [dayOf("2025-12-22"), dayOf("2025-12-31")],
];

/** Days since 1 January 2025, UTC. */
export function dayOf(date: string): number {
  return (Date.parse(date) - YEAR_FROM_MS) / DAY_MS;
}

/** 0 is Sunday. */
export function weekdayOf(day: number): number {
  return new Date(YEAR_FROM_MS + day * DAY_MS).getUTCDay();
}

export function isWeekend(day: number): boolean {
  return weekdayOf(day) % 6 === 0;
}

/** Whether the account trades on this day. */
export function isWorkday(day: number): boolean {
  return !(isWeekend(day) || HOLIDAYS.has(day) || HOLIDAY_WEEKS.some(([first, last]) => day >= first && day <= last));
}

/** The step that contains an hour of a day (UTC; the hour may have a fraction). */
export function stepAt(day: number, hour: number): number {
  return day * STEPS_PER_DAY + Math.floor(hour * STEPS_PER_HOUR);
}

export function dayOfStep(step: number): number {
  return Math.floor(step / STEPS_PER_DAY);
}

/** hour of the day, UTC, 0 to 23 */
export function hourOfStep(step: number): number {
  return Math.floor((step % STEPS_PER_DAY) / STEPS_PER_HOUR);
}

import { getOrMake } from "./get-or-make.ts";

/** Half-open range of times, ms UTC: `[from, to)`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** Returns a function that gives the same as `isoTime`. It makes the text of a day once, and remembers it. */
export function isoTimes(): (ms: number) => string {
  const dates = new Map<number, string>();
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    const date = getOrMake(dates, day, () => isoTime(ms).replace(/T.*/, "T"));
    const rest = ms - day * DAY_MS;
    const hour = Math.floor(rest / HOUR_MS);
    const minute = Math.floor(rest / MINUTE_MS) % 60;
    const second = Math.floor(rest / SECOND_MS) % 60;
    return `${date}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}.${THREE_DIGITS[rest % SECOND_MS]}Z`;
  };
}

/** No account has fills before this time, ms UTC. If one does, the walk notices it and asks for `--from`. */
export const BEGINNING_MS = Date.UTC(2015, 0, 1);

/** The last time that a Date can hold: ECMA-262, 21.4.1.1. */
export const LATEST_MS = 8.64e15;

import { DAY_MS, MINUTE_MS, type TimeRange } from "./time.ts";

/** Of a shorter period, a day on each side is much of all that is asked. */
const SHORT_MS = 28 * DAY_MS;
export const LEAST_MARGIN_MS = 30 * MINUTE_MS;

/**
 * How far a walk goes beyond a period on both sides, ms, before anything is known: a fill belongs to the
 * period by its trade time, and is asked for by `txCreated`.
 */
export function firstMargin({ from, to }: TimeRange): number {
  return to - from < SHORT_MS ? LEAST_MARGIN_MS : DAY_MS;
}

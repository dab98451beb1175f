import { localTime } from "./period.ts";

/**
 * Gives the local date of an instant, `2025-03-01`. A zone's clocks are asked once for the quarter hour: in all zones days begin at one, but for
 * Newfoundland until 2011, whose clocks went back at a minute past midnight. Times that come in order are fast.
 */
export function localDays(zone: string): (ms: number) => string {
  let from = 0;
  let day: string | null = null;
  return (ms) => {
    if (day === null || ms < from || ms >= from + QUARTER_MS) {
      from = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
      day = localTime(ms, zone).slice(0, 10);
    }
    return day;
  };
}

const QUARTER_MS = 900_000;

import { getOrMake } from "./get-or-make.ts";
import { localTime } from "./period.ts";

const QUARTER_MS = 900_000;
/** Two years of quarter hours. */
const MOST_KNOWN = 70_000;
/** By zone, and by the number of the quarter hour. */
const KNOWN = new Map<string, Map<number, string>>();

/**
 * Returns a function that gives the local date of an instant, `2025-03-01`. It asks the zone's clocks once
 * per quarter hour. In all zones a day begins at one, except in Newfoundland until 2011, where clocks went
 * back at one minute past midnight.
 */
export function localDays(zone: string): (ms: number) => string {
  const days = getOrMake(KNOWN, zone, () => new Map<number, string>());
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    if (days.size >= MOST_KNOWN) {
      days.clear();
    }
    return getOrMake(days, quarter, () => localTime(quarter * QUARTER_MS, zone).slice(0, 10));
  };
}

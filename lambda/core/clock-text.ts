import { localTime } from "./period.ts";

/**
 * A time for people, as the zone's clocks show it: `2025-01-01 00:00 (America/New_York)`. Seconds and
 * milliseconds are shown unless they are zero.
 */
export function clockText(ms: number, zone: string): string {
  const [date, time = ""] = localTime(ms, zone).slice(0, 23).split("T");
  return `${date} ${time.replace(/(?::00)?\.000$/, "")} (${zone})`;
}

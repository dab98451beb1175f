import { localTime } from "./period.ts";
import { DAY_MS } from "./time.ts";

/**
 * Gives the local date of an instant, `2025-03-01`. A zone's clocks are asked once for the quarter hour: in all zones days begin at one, but for
 * Newfoundland until 2011, whose clocks went back at a minute past midnight. Where they show that the rest of the day has the same offset from UTC, they
 * are asked once for all of it: no zone has changed its offset twice in a day. Times that come in order are fast.
 */
export function localDays(zone: string): (ms: number) => string {
  let from = 0;
  let to = 0;
  let day = "";
  return (ms) => {
    if (ms < from || ms >= to) {
      from = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
      const local = clockAt(from, zone);
      day = local.day;
      const midnight = from + DAY_MS - local.sinceMidnight;
      const last = clockAt(midnight - 1, zone);
      const isRegular = midnight % QUARTER_MS === 0 && last.day === day && last.sinceMidnight === DAY_MS - 1;
      to = isRegular ? midnight : from + QUARTER_MS;
    }
    return day;
  };
}

const QUARTER_MS = 900_000;

/** What the zone's clocks show: the date, and the time, in ms since midnight. */
function clockAt(ms: number, zone: string): { readonly day: string; readonly sinceMidnight: number } {
  const local = localTime(ms, zone);
  const at = local.indexOf("T");
  return { day: local.slice(0, at), sinceMidnight: Date.parse(`1970-01-01${local.slice(at, at + 13)}Z`) };
}

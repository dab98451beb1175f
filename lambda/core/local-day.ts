import { localTime } from "./period.ts";
import { isWithin } from "./ranges.ts";
import { DAY_MS, type TimeRange } from "./time.ts";

/**
 * Returns a function that gives the local date of an instant, `2025-03-01`. It asks the zone's clocks once
 * per quarter hour. In all zones a day begins at one, except in Newfoundland until 2011, where clocks went
 * back at one minute past midnight. If the rest of the day has the same offset from UTC, it asks once for the
 * whole day: no zone has changed its offset twice in a day. It remembers days, because a trade is opened on
 * one day and closed on another.
 */
export function localDays(zone: string): (ms: number) => string {
  const known = new Map<number, Stretch>();
  let last: Stretch = { from: 0, to: 0, day: "" };
  return (ms) => {
    if (isWithin(last, ms)) {
      return last.day;
    }
    const utcDay = Math.floor(ms / DAY_MS);
    last = known.get(utcDay) ?? last;
    if (!isWithin(last, ms)) {
      last = stretchFrom(ms, zone);
      if (known.size >= MOST_KNOWN) {
        known.clear();
      }
      known.set(utcDay, last);
    }
    return last.day;
  };
}

/** Some or all times of one local date, ms UTC, `to` exclusive. */
interface Stretch extends TimeRange {
  readonly day: string;
}

const QUARTER_MS = 900_000;
/** A few years of days. */
const MOST_KNOWN = 2000;

function stretchFrom(ms: number, zone: string): Stretch {
  const from = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
  const { day, sinceMidnight } = clockAt(from, zone);
  const midnight = from + DAY_MS - sinceMidnight;
  const last = clockAt(midnight - 1, zone);
  const isRegular = midnight % QUARTER_MS === 0 && last.day === day && last.sinceMidnight === DAY_MS - 1;
  return { from, to: isRegular ? midnight : from + QUARTER_MS, day };
}

/** The date and the time since midnight, ms, on the zone's clocks. */
function clockAt(ms: number, zone: string): { readonly day: string; readonly sinceMidnight: number } {
  const local = localTime(ms, zone);
  const at = local.indexOf("T");
  return { day: local.slice(0, at), sinceMidnight: Date.parse(`1970-01-01${local.slice(at, at + 13)}Z`) };
}

import { localTime } from "./period.ts";
import { isWithin } from "./ranges.ts";
import { DAY_MS, type TimeRange } from "./time.ts";

/**
 * Gives the local date of an instant, `2025-03-01`. A zone's clocks are asked once for the quarter hour: in all zones days begin at one, but for
 * Newfoundland until 2011, whose clocks went back at a minute past midnight. Where they show that the rest of the day has the same offset from UTC, they
 * are asked once for all of it: no zone has changed its offset twice in a day. What was last found for a day of UTC is kept: a trade is opened on one day and
 * closed on another.
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

/** Times of one local date, ms UTC, `to` exclusive; not always all of them. */
interface Stretch extends TimeRange {
  readonly day: string;
}

const QUARTER_MS = 900_000;
/** Some years of days. */
const MOST_KNOWN = 2000;

function stretchFrom(ms: number, zone: string): Stretch {
  const from = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
  const { day, sinceMidnight } = clockAt(from, zone);
  const midnight = from + DAY_MS - sinceMidnight;
  const last = clockAt(midnight - 1, zone);
  const isRegular = midnight % QUARTER_MS === 0 && last.day === day && last.sinceMidnight === DAY_MS - 1;
  return { from, to: isRegular ? midnight : from + QUARTER_MS, day };
}

/** What the zone's clocks show: the date, and the time, in ms since midnight. */
function clockAt(ms: number, zone: string): { readonly day: string; readonly sinceMidnight: number } {
  const local = localTime(ms, zone);
  const at = local.indexOf("T");
  return { day: local.slice(0, at), sinceMidnight: Date.parse(`1970-01-01${local.slice(at, at + 13)}Z`) };
}

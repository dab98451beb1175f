import { localTime, type Period } from "../../model/period.ts";
import { DAY_MS, isoTime } from "../../model/time.ts";

/** Every offset from UTC that is in use today is a multiple of it. */
const QUARTER_MS = 900_000;

/**
 * The local day of a time within the period, `2025-03-01`; looked up for a quarter of an hour at once. Where clocks go back over midnight at an end of the
 * period, a day outside of it comes up for a while: that time counts with the period's own day.
 */
export function dayIn({ zone, firstDay, lastDay }: Period): (time: number) => string {
  let known = Number.NaN;
  let day = "";
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (quarter !== known) {
      const local = localTime(quarter * QUARTER_MS, zone).slice(0, 10);
      [day = local] = [firstDay, local, lastDay].sort().slice(1);
      known = quarter;
    }
    return day;
  };
}

export function nextDay(day: string): string {
  return isoTime(Date.parse(day) + DAY_MS).slice(0, 10);
}

import { localDays } from "../../../core/local-day.ts";
import type { Period } from "../../../core/period.ts";
import { DAY_MS, isoTime } from "../../../core/time.ts";

/**
 * The local day of a time within the period, `2025-03-01`. Where clocks go back over midnight at an end of
 * the period, a time may fall on a day outside it. That time counts with the period's own day.
 */
export function dayIn({ zone, firstDay, lastDay }: Period): (time: number) => string {
  const dayOf = localDays(zone);
  return (time) => {
    const day = dayOf(time);
    if (day < firstDay) {
      return firstDay;
    }
    return day > lastDay ? lastDay : day;
  };
}

export function nextDay(day: string): string {
  return isoTime(Date.parse(day) + DAY_MS).slice(0, 10);
}

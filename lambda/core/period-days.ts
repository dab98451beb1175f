import { localDays } from "./local-day.ts";
import { monthsOf, type Period } from "./period.ts";
import { rangeFinder } from "./ranges.ts";
import { DAY_MS, isoTime } from "./time.ts";

/**
 * The local day of a time within the period, `2025-03-01`. Where clocks go back over midnight, a time may fall on a
 * day outside the period, or outside its month. That time counts with the period's or the month's own day.
 */
export function daysIn(period: Period): (time: number) => string {
  const { zone, firstDay, lastDay } = period;
  const dayOf = localDays(zone);
  const monthAt = rangeFinder(monthsOf(period));
  return (time) => {
    const [first, day] = [`${monthAt(time).name}-01`, dayOf(time)];
    const own = day < first ? first : day;
    if (own < firstDay) {
      return firstDay;
    }
    return own > lastDay ? lastDay : own;
  };
}

export function nextDay(day: string): string {
  return isoTime(Date.parse(day) + DAY_MS).slice(0, 10);
}

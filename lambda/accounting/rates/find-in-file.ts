import { compareText } from "../../core/text.ts";
import { daysAfter, lengthOf } from "./dates.ts";
import type { Rate, RateSeries } from "./rate-file.ts";

/** How old a day's rate may be. It bridges weekends and holidays, but no gap in a file. */
export const MAX_AGE_DAYS = 7;

/** A rate of a file that holds on a day. */
interface Found {
  readonly series: RateSeries;
  readonly rate: Rate;
}

/**
 * The rate that holds on a local day, from series of one file and one pair. Null: none. A day's rate is that
 * of the day, or the last one before it, at most 7 days old; never a later one. A period's rate holds on the
 * days of its period. Of several, the rate of the shortest time wins: a day's before a month's;
 * then the latest.
 */
export function findInFile(all: readonly RateSeries[], day: string): Found | null {
  const found = all.flatMap((series): Found[] => {
    const rate = series.kind === "day" ? lastBefore(series.rates, day) : shortestAround(series.rates, day);
    return rate === null ? [] : [{ series, rate }];
  });
  const [best = null] = found.toSorted(
    (a, b) =>
      lengthOf(a.rate) - lengthOf(b.rate) ||
      compareText(b.rate.from, a.rate.from) ||
      compareText(a.series.name, b.series.name),
  );
  return best;
}

function lastBefore(rates: RateSeries["rates"], day: string): Rate | null {
  for (let age = 0; age <= MAX_AGE_DAYS; age += 1) {
    const rate = rates.get(daysAfter(day, -age));
    if (rate !== undefined) {
      return rate;
    }
  }
  return null;
}

function shortestAround(rates: RateSeries["rates"], day: string): Rate | null {
  let best: Rate | null = null;
  for (const rate of rates.values()) {
    if (rate.from <= day && day <= rate.to && (best === null || isShorter(rate, best))) {
      best = rate;
    }
  }
  return best;
}

/** Of two equally long ones, the one that began later wins. */
function isShorter(a: Rate, b: Rate): boolean {
  return lengthOf(a) < lengthOf(b) || (lengthOf(a) === lengthOf(b) && a.from > b.from);
}

/** Two currencies as one text, in alphabetical order: `EUR\nUSD`. */
export function pairOf(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

import { type Period, parsePeriod } from "../core/period.ts";
import { readPackName } from "../core/period-name.ts";
import { covers, subtract, width } from "../core/ranges.ts";
import { TAX_YEARS } from "../core/tax-years.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../core/time.ts";
import type { ArchiveView } from "./data/archives.ts";

/** A period that a pack can be made of, and how much of it the archive lacks. */
export interface Offer {
  readonly period: Period;
  readonly isOver: boolean;
  /**
   * Days of the period that must still be read, partial days rounded up. If none, the days beside the period
   * that an export reads too.
   */
  readonly daysToRead: number;
}

type Archive = Pick<ArchiveView, "coverage" | "firstTrade">;

const OFFERED_MS = 5 * 366 * DAY_MS;
const MOST_YEARS = 20;
/**
 * An export reads this much beyond both ends of the period: a fill belongs to a period by its trade time, but
 * is found by another time.
 */
const MARGIN_MS = DAY_MS;
const DEFAULT_COUNTRY = "us";

/** The tax years of a country in which the account may have traded, newest first. `now`: ms UTC. */
export function taxYearOffers(archive: Archive, country: string, now: number): Offer[] {
  const names = yearsSince(tradedSince(archive, now), now + 366 * DAY_MS).map((year) => `${country}-${year}`);
  return offersOf(names, archive, now).filter(({ period }) => period.from <= now);
}

/** The months that have ended, newest first. */
export function monthOffers(archive: Archive, now: number): Offer[] {
  const months = Array.from({ length: 12 }, (_, at) => String(12 - at).padStart(2, "0"));
  const names = yearsSince(tradedSince(archive, now), now).flatMap((year) =>
    months.map((month) => `month-${year}-${month}`),
  );
  return offersOf(names, archive, now).filter(({ isOver }) => isOver);
}

/**
 * The newest tax year that is over and has no pack yet; null if there is none. Days that the archive lacks
 * are read only for the last year of all, and if `canAsk`. `packed`: periods that have packs, newest first.
 */
export function yearToPack(archive: Archive, packed: readonly string[], now: number, canAsk: boolean): Offer | null {
  const names = new Set(packed);
  const over = taxYearOffers(archive, likelyCountry(packed), now).filter(({ isOver }) => isOver);
  return (
    over.find((offer, at) => !names.has(offer.period.name) && (offer.daysToRead === 0 || (at === 0 && canAsk))) ?? null
  );
}

/** The country of the newest pack that is of a tax year. `periods`: newest first. */
export function likelyCountry(periods: readonly string[]): string {
  const codes = periods.map((name) => readPackName(name)?.typed?.split("-")[0]);
  return codes.find((code) => TAX_YEARS.some((one) => one.code === code)) ?? DEFAULT_COUNTRY;
}

function offersOf(names: readonly string[], archive: Archive, now: number): Offer[] {
  const since = tradedSince(archive, now);
  return names
    .map((typed) => parsePeriod(typed))
    .filter(({ to }) => to > since)
    .map((period) => ({ period, isOver: period.to <= now, daysToRead: daysToRead(period, archive, now) }));
}

/** Days that must be read for a pack of the range: of the range, or if none, of the margin around it. */
function daysToRead({ from, to }: TimeRange, { coverage }: Pick<Archive, "coverage">, now: number): number {
  const unread = (range: TimeRange) => (range.from < range.to ? width(subtract(range, coverage)) : 0);
  const own = unread({ from, to: Math.min(to, now) });
  const around = unread({ from: from - MARGIN_MS, to: Math.min(to + MARGIN_MS, now) });
  return Math.ceil((own === 0 ? around : own) / DAY_MS);
}

/**
 * The first fill's time if everything before it was read. Otherwise a time long enough ago that new users
 * find their years.
 */
function tradedSince({ coverage, firstTrade }: Archive, now: number): number {
  const isFirst = firstTrade !== null && firstTrade > BEGINNING_MS;
  return isFirst && covers(coverage, { from: BEGINNING_MS, to: firstTrade })
    ? firstTrade
    : Math.min(coverage.at(0)?.from ?? now, now - OFFERED_MS);
}

/** Newest first. */
function yearsSince(since: number, until: number): readonly number[] {
  const last = new Date(until).getUTCFullYear();
  const first = Math.max(new Date(since).getUTCFullYear(), last - MOST_YEARS);
  return Array.from({ length: Math.max(last - first + 1, 1) }, (_, at) => last - at);
}

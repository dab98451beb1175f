import { type Period, parsePeriod } from "../core/period.ts";
import { readPackName } from "../core/period-name.ts";
import { covers } from "../core/ranges.ts";
import { TAX_YEARS } from "../core/tax-years.ts";
import { DAY_MS } from "../core/time.ts";
import type { ArchiveView } from "./data/archives.ts";

/** A period that is over, and whether the archive has all that its pack needs. */
export interface Offer {
  readonly period: Period;
  readonly isRead: boolean;
}

const OFFERED_YEARS = 5;
const MOST_YEARS = 20;
/**
 * An export reads this much beyond both ends of the period: a fill belongs to a period by its trade time, but
 * is found by another time.
 */
const MARGIN_MS = DAY_MS;
const MONTHS = Array.from({ length: 12 }, (_, at) => String(12 - at).padStart(2, "0"));

/**
 * The periods that a form offers, newest first: the tax years of the country of the newest pack (else of the first
 * country), months, the tax years of the other countries. Back to the first fill, and five years at least. `packed`:
 * periods that have packs, newest first. `now`: ms UTC.
 */
export function offersOf(
  { coverage, firstTrade }: Pick<ArchiveView, "coverage" | "firstTrade">,
  packed: readonly string[],
  now: number,
): readonly { readonly label: string; readonly offers: readonly Offer[] }[] {
  const last = new Date(now).getUTCFullYear();
  const traded = new Date(firstTrade ?? now).getUTCFullYear();
  const first = Math.max(Math.min(traded, last - OFFERED_YEARS), last - MOST_YEARS);
  const years = Array.from({ length: last - first + 1 }, (_, at) => last - at);
  const offered = (names: readonly string[]) =>
    names
      .map((name) => parsePeriod(name))
      .filter(({ to }) => to <= now)
      .map((period) => {
        const needed = { from: period.from - MARGIN_MS, to: Math.min(period.to + MARGIN_MS, now) };
        return { period, isRead: covers(coverage, needed) };
      });
  const codes = packed.map((name) => readPackName(name)?.typed?.split("-")[0]);
  const likely = codes.find((code) => TAX_YEARS.some((one) => one.code === code)) ?? TAX_YEARS[0]?.code;
  const taxYears = TAX_YEARS.toSorted((a, b) => Number(b.code === likely) - Number(a.code === likely)).map(
    ({ code, label }) => ({ label, offers: offered(years.map((year) => `${code}-${year}`)) }),
  );
  const months = offered(years.flatMap((year) => MONTHS.map((month) => `month-${year}-${month}`)));
  return taxYears.toSpliced(1, 0, { label: "Months", offers: months });
}

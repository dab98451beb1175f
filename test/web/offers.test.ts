import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { TAX_YEARS } from "../../lambda/core/tax-years.ts";
import { BEGINNING_MS, DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { likelyCountry, monthOffers, taxYearOffers } from "../../lambda/web/offers.ts";

const NOW = Date.UTC(2026, 10, 26, 1);
/** Read from the beginning up to `to`. */
const archive = (to: number, firstTrade: number | null = Date.UTC(2025, 0, 2)) => ({
  coverage: [{ from: BEGINNING_MS, to }],
  firstTrade,
});
const namesOf = (offers: ReturnType<typeof taxYearOffers>) =>
  offers.map(({ period, isOver, daysToRead }) => [period.name, isOver ? daysToRead : "not over"]);

describe("the offered tax years", () => {
  // 2 January 05:00 to 5 April 23:00 UTC, when London's day ends: 93 days and 18 hours.
  test("are those since the first fill, each with the days it still needs", () => {
    const read = archive(Date.UTC(2026, 0, 2, 5));
    expect(namesOf(taxYearOffers(read, "uk", NOW))).toEqual([
      ["uk-2026-27", "not over"],
      ["uk-2025-26", 94],
      ["uk-2024-25", 0],
    ]);
    expect(namesOf(taxYearOffers(read, "us", NOW))).toEqual([
      ["us-2026", "not over"],
      ["us-2025", 0],
    ]);
  });

  test("need the next day too, which an export reads for fills that come late", () => {
    expect(namesOf(taxYearOffers(archive(Date.UTC(2026, 0, 2, 5) - 1), "us", NOW))[1]).toEqual(["us-2025", 1]);
  });

  test("go five years back if the archive was not read from the beginning: there may be older fills", () => {
    const young = { coverage: [{ from: Date.UTC(2026, 0, 1), to: NOW }], firstTrade: Date.UTC(2026, 5, 1) };
    const names = (some: Parameters<typeof taxYearOffers>[0]) => namesOf(taxYearOffers(some, "us", NOW)).length;
    expect([names(young), names({ coverage: [], firstTrade: null }), names(archive(NOW, null))]).toEqual([6, 6, 12]);
  });

  const time = fc.integer({ min: BEGINNING_MS + 1, max: Date.UTC(2034, 0, 1) });

  test("include every year that may hold a fill, for any country, each once", () => {
    fc.assert(
      fc.property(time, time, fc.constantFrom(...TAX_YEARS), (a, b, { code }) => {
        const [first, now] = [Math.min(a, b), Math.max(a, b)];
        const offers = taxYearOffers(archive(now, first), code, now);
        const names = offers.map(({ period }) => period.name);
        expect(new Set(names).size).toBe(names.length);
        expect(offers.every(({ period }) => period.to > first && period.from <= now)).toBe(true);
        const years = Array.from({ length: 22 }, (_, at) => parsePeriod(`${code}-${2015 + at}`));
        const traded = years.filter(({ from, to }) => to > first && from <= now).map(({ name }) => name);
        expect(names.toReversed()).toEqual(traded);
      }),
      { numRuns: 60 },
    );
  });

  test("need the same days as a count hour by hour", () => {
    const hour = fc.integer({ min: 0, max: 420 * 24 }).map((at) => Date.UTC(2024, 11, 20) + at * HOUR_MS);
    fc.assert(
      fc.property(hour, hour, (a, b) => {
        const range = { from: Math.min(a, b), to: Math.max(a, b) + HOUR_MS };
        const [offer] = taxYearOffers({ coverage: [range], firstTrade: null }, "calendar", NOW).filter(
          ({ period }) => period.name === "calendar-2025",
        );
        const hours = (from: number, to: number) =>
          Array.from({ length: (to - from) / HOUR_MS }, (_, at) => from + at * HOUR_MS).filter(
            (one) => one < range.from || one >= range.to,
          ).length;
        const [from, to] = [Date.UTC(2025, 0), Date.UTC(2026, 0)];
        const missing = hours(from, to) || hours(from - DAY_MS, to + DAY_MS);
        expect(offer?.daysToRead).toBe(Math.ceil(missing / 24));
      }),
      { numRuns: 60 },
    );
  });
});

test("months are offered once they are over", () => {
  for (const now of [NOW, Date.UTC(2026, 11, 1) - 1]) {
    const months = monthOffers(archive(NOW, Date.UTC(2026, 8, 30, 23)), now);
    expect(months.map(({ period }) => period.name)).toEqual(["month-2026-10", "month-2026-09"]);
  }
});

test("the country is that of the newest tax-year pack, or the United States without one", () => {
  expect(likelyCountry(["month-2025-03", "uk-2024-25", "us-2025"])).toBe("uk");
  expect(likelyCountry(["calendar-2025"])).toBe("calendar");
  expect(likelyCountry(["x", "custom-2025-01-01-2025-02-01"])).toBe("us");
  expect(likelyCountry([])).toBe("us");
});

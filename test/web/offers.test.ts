import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { TAX_YEARS } from "../../lambda/core/tax-years.ts";
import { BEGINNING_MS, DAY_MS } from "../../lambda/core/time.ts";
import { offersOf } from "../../lambda/web/offers.ts";

const NOW = Date.UTC(2026, 10, 26, 1);
/** Read from the beginning up to `to`. */
const archive = (to: number, firstTrade: number | null = Date.UTC(2025, 0, 2)) => ({
  coverage: [{ from: BEGINNING_MS, to }],
  firstTrade,
});

test("years and months that are over are offered, newest first, with what the archive has of each and of a day beside it", () => {
  const read = archive(Date.UTC(2026, 0, 2, 5));
  const [us, months] = offersOf(read, [], NOW);
  expect(us?.offers.slice(0, 2).map(({ period, isRead }) => [period.name, isRead])).toEqual([
    ["us-2025", true],
    ["us-2024", true],
  ]);
  expect(months?.offers.map(({ period }) => period.name).slice(0, 2)).toEqual(["month-2026-10", "month-2026-09"]);
  const [lacking] = offersOf(archive(Date.UTC(2026, 0, 2, 5) - 1), [], NOW);
  expect(lacking?.offers[0]?.isRead).toBe(false);
});

test("the country of the newest tax-year pack comes first, or the United States without one", () => {
  const first = (packed: readonly string[]) => offersOf(archive(NOW), packed, NOW)[0]?.label;
  expect(first(["month-2025-03", "uk-2024-25", "us-2025"])).toBe("United Kingdom");
  expect(first(["x", "custom-2025-01-01-2025-02-01"])).toBe("United States");
  expect(first([])).toBe("United States");
});

test("every year and month that is over and may hold a fill is offered, for every country, each once", () => {
  const time = fc.integer({ min: BEGINNING_MS + 1, max: Date.UTC(2034, 0, 1) });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, now] = [Math.min(a, b), Math.max(a, b)];
      const offered = offersOf(archive(now, first), [], now).flatMap(({ offers }) => offers);
      const names = new Set(offered.map(({ period }) => period.name));
      expect(names.size).toBe(offered.length);
      expect(offered.every(({ period }) => period.to <= now)).toBe(true);
      const years = Array.from({ length: 22 }, (_, at) => 2015 + at);
      const all = [...TAX_YEARS.map(({ code }) => code), "month"].flatMap((code) =>
        years.map((year) => parsePeriod(code === "month" ? `month-${year}-07` : `${code}-${year}`)),
      );
      const traded = all.filter(({ from, to }) => to > first + DAY_MS && to <= now && from >= first - 5 * 366 * DAY_MS);
      expect(traded.filter(({ name }) => !names.has(name))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

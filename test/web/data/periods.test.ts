import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { customPeriod, type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, isoTime } from "../../../lambda/core/time.ts";
import { newestFirst, withWords } from "../../../lambda/web/data/periods.ts";

test("newest first: by their end, then the longest; names without a time come last, by name", () => {
  const order = [
    "us-2025",
    "month-2025-12",
    "custom-2025-12-30-2025-12-31",
    "month-2025-11",
    "au-2024-25",
    "uk-2024-25",
    "de-2024",
    "us-2024",
    "month-2024-12",
    "custom-20240601T120000.000Z-20240601T120000.001Z",
    "custom-2024-01-01-2024-06-01",
    "b",
    "c-2025",
  ].map((name) => ({ name }));
  fc.assert(
    fc.property(fc.shuffledSubarray(order, { minLength: order.length }), (drawn) => {
      expect(newestFirst(drawn)).toEqual(order);
    }),
  );
});

test("in one zone, in the order of their ends", () => {
  const month = fc.integer({ min: 0, max: 200 }).map((at) => {
    const [year, number] = [2000 + Math.floor(at / 12), String((at % 12) + 1).padStart(2, "0")];
    return parsePeriod(`month-${year}-${number}`, "UTC");
  });
  const days = fc
    .tuple(fc.integer({ min: 10_957, max: 17_000 }), fc.integer({ min: 1, max: 900 }))
    .map(([day, length]) =>
      customPeriod(isoTime(day * DAY_MS).slice(0, 10), isoTime((day + length) * DAY_MS).slice(0, 10)),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(month, days), { maxLength: 20 }), (periods: Period[]) => {
      const ends = newestFirst(periods).map(({ to }) => to);
      expect(ends).toEqual(periods.map(({ to }) => to).toSorted((a, b) => b - a));
    }),
  );
});

describe("finding", () => {
  const all = [
    "us-2024",
    "us-2025",
    "uk-2023-24",
    "uk-2024-25",
    "month-2024-03",
    "custom-2023-07-01-2025-07-01",
    "us-2024-Europe_London",
    "au-2010-11",
    "au-2009-10-Australia_Perth",
    "odd",
  ].map((name) => ({ name }));
  const found = (text: string) => withWords(all, text).map(({ name }) => name);

  test.each<[string, readonly string[]]>([
    ["", all.map(({ name }) => name)],
    ["  ", all.map(({ name }) => name)],
    ["us-2024", ["us-2024", "us-2024-Europe_London"]],
    ["US london", ["us-2024-Europe_London"]],
    ["month", ["month-2024-03"]],
    ["2024-03", ["month-2024-03"]],
    ["s-2025", []],
    // The tax year that began in April 2023 ends in 2024, and the two-year period has 2024 in its middle.
    [
      "2024",
      ["us-2024", "uk-2023-24", "uk-2024-25", "month-2024-03", "custom-2023-07-01-2025-07-01", "us-2024-Europe_London"],
    ],
    ["2026", []],
    // A word that means one year as a period also begins the name of another.
    ["au-2010", ["au-2010-11", "au-2009-10-Australia_Perth"]],
    ["au-2011", ["au-2010-11"]],
    ["au-2010 perth", ["au-2009-10-Australia_Perth"]],
    ["1999", []],
    ["us 2025", ["us-2025"]],
    [".*", []],
    ["<script>", []],
  ])("%j", (text, names) => {
    expect(found(text)).toEqual(names);
  });
});

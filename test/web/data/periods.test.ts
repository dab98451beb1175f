import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { customPeriod, listPeriods, type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, isoTime } from "../../../lambda/core/time.ts";
import { newestFirst, timeOfName, withWords } from "../../../lambda/web/data/periods.ts";

const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Etc/GMT+5", "Etc/GMT-14", "America/Argentina/Buenos_Aires"];
const NAMED = ZONES.flatMap((zone) => [
  ...[1999, 2024].flatMap((year) => listPeriods(year).map(({ example }) => parsePeriod(example.name, zone))),
  parsePeriod("month-2024-12", zone),
  parsePeriod("year-2024-04-06", zone),
  customPeriod("2024-12-31", "2025-03-01", zone),
]);

describe("what a name says of its time", () => {
  test.each(NAMED)("$name: its days in its zone", ({ name, firstDay, lastDay }) => {
    const next = isoTime(Date.parse(lastDay) + DAY_MS).slice(0, 10);
    expect(timeOfName(name)).toEqual({ from: firstDay, to: next });
  });

  test.each(ZONES)("instants, in %s", (zone) => {
    const { name, from, to } = customPeriod("2025-01-01T00:00:00.001Z", "2025-01-02T12:30:00Z", zone);
    expect(timeOfName(name)).toEqual({ from: isoTime(from), to: isoTime(to) });
  });

  test.each([
    "",
    "us",
    "us-25",
    "us-2025-03",
    "xx-2025",
    "month-2025",
    "month-2025-03-04",
    "year-2025",
    "custom-2025",
    "2025",
    "us-2025x",
    "__proto__-2025",
    "custom-2025-01-01-2025-02-01x",
  ])("%j says none", (name) => {
    expect(timeOfName(name)).toBeNull();
  });
});

test("newest first: by their end, then the longest, whatever the order they come in; what says no time is last, by name", () => {
  const order = [
    "us-2025",
    "month-2025-12",
    "custom-2025-12-30-2025-12-31",
    "month-2025-11",
    "uk-2024",
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

test("of one zone, as their ends lie in time", () => {
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
    "uk-2023",
    "uk-2024",
    "month-2024-03",
    "custom-2023-07-01-2025-07-01",
    "us-2024-Europe_London",
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
    // The tax year that began in April 2023 ends in it, and the two years have it in the middle.
    [
      "2024",
      ["us-2024", "uk-2023", "uk-2024", "month-2024-03", "custom-2023-07-01-2025-07-01", "us-2024-Europe_London"],
    ],
    ["2026", []],
    ["1999", []],
    ["us 2025", ["us-2025"]],
    [".*", []],
    ["<script>", []],
  ])("%j", (text, names) => {
    expect(found(text)).toEqual(names);
  });
});

import { describe, expect, test } from "vitest";
import { customPeriod, parsePeriod } from "../../lambda/core/period.ts";
import { listPeriods, nameOfTyped, readPackName } from "../../lambda/core/period-name.ts";
import { DAY_MS, isoTime } from "../../lambda/core/time.ts";

const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Etc/GMT+5", "Etc/GMT-14", "America/Argentina/Buenos_Aires"];
const TYPED = [
  ...[1999, 2024].flatMap((year) => listPeriods(year).map(({ name }) => name)),
  "month-2024-12",
  "year-2024-04-06",
];

describe("the period in a pack's name", () => {
  const named = ZONES.flatMap((zone) => TYPED.map((typed) => ({ ...parsePeriod(typed, zone), typed })));
  const custom = ZONES.map((zone) => ({ ...customPeriod("2024-12-31", "2025-03-01", zone), typed: null }));

  test.each([...named, ...custom])("$name: its days in its zone, and what to type for it", (period) => {
    const { name, firstDay, lastDay, typed } = period;
    const next = isoTime(Date.parse(lastDay) + DAY_MS).slice(0, 10);
    expect(readPackName(name)).toEqual({ from: firstDay, to: next, typed });
  });

  test.each(ZONES)("instants, in %s", (zone) => {
    const { name, from, to } = customPeriod("2025-01-01T00:00:00.001Z", "2025-01-02T12:30:00Z", zone);
    expect(readPackName(name)).toEqual({ from: isoTime(from), to: isoTime(to), typed: null });
  });

  test.each([
    ..."us us-25 us-2025-03 us-2025-26 uk-2025 au-2025-Australia_Perth uk-2025-27 xx-2025 month-2025".split(" "),
    ..."month-2025-13 month-2025-03-04 year-2025 custom-2025 2025 us-2025x __proto__-2025".split(" "),
    ..."custom-2025-01-01-2025-02-01x".split(" "),
    "",
  ])("%j names no period", (name) => {
    expect(readPackName(name)).toBeNull();
  });
});

test.each([
  ["au-2025", "au-2024-25"],
  ["au-2024-25", "au-2024-25"],
  ["us-2025", "us-2025"],
  ["au", null],
  ["AU-2025", null],
  ["au-2024-25-UTC", null],
])("%s is typed for %s", (typed, name) => {
  expect(nameOfTyped(typed)).toBe(name);
});

import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { localTime } from "../../../lambda/core/period.ts";
import { clockOf, displayed, moneyCell, quantityCell } from "../../../lambda/pack/writers/cells.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { Exact, exact } from "../sums.ts";

const amounts = fc
  .oneof(
    fc.bigInt({ min: -(10n ** 76n), max: 10n ** 76n }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc
      .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 40 }))
      .map(([a, b]) => a * 10n ** BigInt(b)),
  )
  .map((units) => exactly(unitsText(units, 36)));

describe("amounts in cells", () => {
  test.prop([amounts])("have 15 significant digits, half to even", (amount) => {
    expect(displayed(amount)).toBe(exact(amount).toSignificantDigits(15).toFixed());
  });

  test.prop([amounts])("survive a double unchanged", (amount) => {
    const text = displayed(amount);
    expect(new Exact(Number(text).toPrecision(15)).toFixed()).toBe(new Exact(text).toFixed());
  });

  test.each([
    ["0", "money", "fine"],
    ["-123456.789012", "money", "general"],
    ["1234567890.1", "general", "general"],
    ["99999999.99", "money", "fine"],
    ["1234.567891", "money", "fine"],
    ["12345.123456789", "money", "general"],
    ["0.5", "money", "fine"],
    ["0.0099", "fine", "fine"],
    ["-0.0000019", "fine", "fine"],
    ["0.0000009", "general", "general"],
    ["1000000000000000", "general", "general"],
  ])("%s is shown in the style %s, or as a quantity %s", (text, money, quantity) => {
    const amount = exactly(text);
    expect(moneyCell(amount)).toEqual({ number: text, style: money });
    expect(moneyCell(amount, { isTotal: true, formula: "A1" })).toEqual({
      number: text,
      style: `${money}Total`,
      formula: "A1",
    });
    expect(quantityCell(amount)).toMatchObject({ style: quantity });
  });
});

const MS_PER_DAY = 86_400_000;

describe("instants in cells", () => {
  test.prop([
    fc.array(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }), { minLength: 1, maxLength: 20 }),
    fc.constantFrom("UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"),
  ])("match the zone's clocks, to the millisecond", (times, zone) => {
    const clock = clockOf(zone);
    for (const ms of times) {
      const cell = clock(ms);
      const serial = Number(cell !== null && "number" in cell ? cell.number : Number.NaN);
      // Day 1 of a spreadsheet is 1900-01-01, and it treats 1900 as a leap year. For later dates, 1899-12-30
      // is therefore day 0.
      const shown = new Date(Date.UTC(1899, 11, 30) + Math.round(serial * MS_PER_DAY)).toISOString();
      expect(shown.slice(0, 23)).toBe(localTime(ms, zone).slice(0, 23));
    }
  });
});

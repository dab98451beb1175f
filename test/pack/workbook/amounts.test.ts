import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { localTime } from "../../../lambda/core/period.ts";
import { amountCell, clockOf } from "../../../lambda/pack/writers/cells.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { Exact, exact } from "../sums.ts";
import { shown } from "./grid.ts";

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
  test.prop([amounts])("store what they show, half to even", (amount) => {
    const { number, style } = amountCell(amount) as { readonly number: string; readonly style: string };
    expect(number).toBe(shown(exact(amount)));
    expect(new Exact(Number(number).toPrecision(15)).toFixed()).toBe(new Exact(number).toFixed());
    const [whole = "", fraction = ""] = number.split(".");
    const width = whole.length + Math.floor((whole.replace("-", "").length - 1) / 3) + 1 + Math.max(fraction.length, 2);
    expect(style === "general" || (width <= 18 && fraction.length <= 8)).toBe(true);
  });

  test.each([
    ["0", "0", "amount"],
    ["-123456.789012345", "-123456.78901234", "amount"],
    ["1234567890.1235", "1234567890.124", "amount"],
    ["999999999999.995", "999999999999.995", "general"],
    ["12345.123456789", "12345.12345679", "amount"],
    ["0.00595", "0.00595", "amount"],
    ["-0.0000019", "-0.0000019", "amount"],
    ["0.000000123456789", "0.000000123457", "general"],
    ["1000000000000000", "1000000000000000", "general"],
  ])("%s is %s in the style %s", (text, number, style) => {
    const amount = exactly(text);
    expect(amountCell(amount)).toEqual({ number, style });
    expect(amountCell(amount, true)).toEqual({ number, style: `${style}Total` });
  });
});

const MS_PER_DAY = 86_400_000;

test.prop([
  fc.array(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }), { minLength: 1, maxLength: 20 }),
  fc.constantFrom("UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"),
])("instants in cells match the zone's clocks, to the millisecond", (times, zone) => {
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

import { expect, test } from "vitest";
import { meantCurrency } from "../../lambda/core/currency.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { lastDayInstead } from "../../lambda/core/suggest.ts";

// Guesses what a person meant by a mistyped date or name.

test.each([
  ["2025-02-29", "2025-02-28"],
  ["2024-02-30", "2024-02-29"],
  ["2100-02-29", "2100-02-28"], // no leap year
  ["2000-02-30", "2000-02-29"],
  ["2025-04-31", "2025-04-30"],
  ["2024-02-29", null],
  ["2025-12-31", null],
  ["2025-13-31", null],
  ["2025-01-32", null],
  ["2025-02-3", null],
])("the last day in place of %s: %s", (typed, day) => {
  expect(lastDayInstead(typed)).toBe(day);
});

test.each([
  ["us2025", "us-2025"],
  ["US-2025", "us-2025"],
  ["us_2025", "us-2025"],
  ["us 2025", "us-2025"],
  ["USA-2025", "us-2025"],
  ["gb-2025", "uk-2025"],
  ["uk2024-25", "uk-2024-25"],
  ["UK 2024/25", "uk-2024-25"],
  ["2025", "calendar-2025"],
  ["year-2025", "calendar-2025"],
  ["2025-03", "month-2025-03"],
  ["month2025-03", "month-2025-03"],
  ["year-2025-02-30", "year-2025-02-28"],
])("%s means %s, which is a period", (typed, meant) => {
  expect(() => parsePeriod(typed)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(`mean ${meant}?`) }),
  );
  expect(() => parsePeriod(meant)).not.toThrow();
});

test.each(["month-2025-13", "xx-2025", "us-20255", "us", "2024-25", ""])("%j gives no guess", (typed) => {
  expect(() => parsePeriod(typed)).toThrow(
    expect.objectContaining({ hint: expect.not.stringContaining("did you mean") }),
  );
});

test.each([
  ["EUR", "EUR"],
  ["eur", "EUR"],
  ["Euro", "EUR"],
  ["EURO", "EUR"],
  ["€", "EUR"],
  ["$", "USD"],
  ["usdc", "USDC"],
  ["e", null],
  ["12", null],
])("%s means the currency %s", (typed, code) => {
  expect(meantCurrency(typed)).toBe(code);
});

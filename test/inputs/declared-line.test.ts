import { expect, test } from "vitest";
import { ZERO } from "../../lambda/core/amount.ts";
import { type DeclaredLine, declaredTexts } from "../../lambda/inputs/declared-line.ts";
import { exactly } from "../support/amounts.ts";

const ZONE = "America/New_York";
const LINE: DeclaredLine = {
  market: "BTC-USD",
  quantity: exactly("-0.5"),
  price: null,
  asOf: Date.UTC(2025, 0, 1, 5),
  isUsed: true,
  unused: null,
  isPriceUsed: null,
};
const AT = "Declared -0.5 BTC-USD at 2025-01-01 00:00 (America/New_York)";

test.each<readonly [text: string, changes: Partial<DeclaredLine>]>([
  [AT, {}],
  [
    `${AT}; not used, because the archive does not cover all of the time from then up to the period`,
    { isUsed: false, unused: "not_covered" },
  ],
  [`${AT}; not used, because its time is not before the end of the period`, { isUsed: false, unused: "after_period" }],
  [
    "Declared -0.5 BTC-USD (average price 64250.5) at 2025-01-01 00:00 (America/New_York)",
    { price: exactly("64250.5"), isPriceUsed: true },
  ],
  [
    "Declared -0.5 BTC-USD (average price 42000) at 2025-01-01 00:00 (America/New_York); its price is not used, because the earlier fills give the cost",
    { price: exactly("42000"), isPriceUsed: false },
  ],
  [`${AT}, after a break that began at 2024-12-01 00:00 (America/New_York)`, { breakFrom: Date.UTC(2024, 11, 1, 5) }],
  ["Declared no position in any other market at 2025-01-01 00:00 (America/New_York)", { market: null, quantity: ZERO }],
])("%s", (text, changes) => {
  expect(declaredTexts([{ ...LINE, ...changes }], ZONE, 5)).toEqual([text]);
});

test("names the first ones, and how many more there are", () => {
  const lines = [LINE, LINE, LINE];
  expect(declaredTexts(lines, ZONE, 3)).toHaveLength(3);
  expect(declaredTexts(lines, ZONE, 2).at(-1)).toBe("1 more line of opening-positions.csv is not shown");
  expect(declaredTexts(lines, ZONE, 1)).toHaveLength(2);
  expect(declaredTexts(lines, ZONE, 1).at(-1)).toBe("2 more lines of opening-positions.csv are not shown");
  expect(declaredTexts([], ZONE, 2)).toEqual([]);
});

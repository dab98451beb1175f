import { expect, test } from "vitest";
import { type DeclaredLine, declaredTexts } from "../../lambda/inputs/declared-line.ts";

const ZONE = "America/New_York";
const LINE: DeclaredLine = {
  market: "BTC-USD",
  quantity: -5n * 10n ** 17n,
  price: null,
  asOf: Date.UTC(2025, 0, 1, 5),
  isUsed: true,
  unused: null,
  isPriceUsed: null,
  fillsUntilPack: 0,
  fillsInPack: 1,
};
const AT = "Declared -0.5 BTC-USD at 2025-01-01 00:00 (America/New_York)";

test.each<readonly [text: string, changes: Partial<DeclaredLine>]>([
  [`${AT}; 1 fill of that market comes after it in this pack`, {}],
  [`${AT}; 20,134 fills of that market come after it in this pack`, { fillsInPack: 20_134 }],
  [`${AT}; no fills of that market come after it in this pack`, { fillsInPack: 0 }],
  [
    `${AT}; 1 fill of that market comes after it before this pack begins, and 3 fills in it`,
    { fillsUntilPack: 1, fillsInPack: 3 },
  ],
  [
    `${AT}; 3 fills of that market come after it before this pack begins, and no fills in it`,
    { fillsUntilPack: 3, fillsInPack: 0 },
  ],
  [AT, { isUsed: null, fillsUntilPack: null, fillsInPack: null }],
  [
    `${AT}; not used, because the archive does not cover all time from then up to the period`,
    { isUsed: false, unused: "not_covered", fillsUntilPack: null, fillsInPack: null },
  ],
  [
    `${AT}; not used, because that is not before the end of the period`,
    { isUsed: false, unused: "after_period", fillsUntilPack: null, fillsInPack: null },
  ],
  [
    "Declared -0.5 BTC-USD (average price 64250.5) at 2025-01-01 00:00 (America/New_York); 1 fill of that market comes after it in this pack",
    { price: 642_505n * 10n ** 17n, isPriceUsed: true },
  ],
  [
    "Declared -0.5 BTC-USD (average price 42000) at 2025-01-01 00:00 (America/New_York); 1 fill of that market comes after it in this pack; its price is not used, because the fills before it give the cost",
    { price: 42_000n * 10n ** 18n, isPriceUsed: false },
  ],
  [
    `${AT}, after a break from 2024-12-01 00:00 (America/New_York) on; 1 fill of that market comes after it in this pack`,
    { breakFrom: Date.UTC(2024, 11, 1, 5) },
  ],
  [
    "Declared no position in any other market at 2025-01-01 00:00 (America/New_York); 2 fills of other markets come after it in this pack",
    { market: null, quantity: 0n, fillsInPack: 2 },
  ],
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

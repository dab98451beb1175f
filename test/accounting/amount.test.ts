import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  divideHalfEven,
  formatAmount,
  formatMinor,
  parseAmount,
  roundToMinor,
  shareOf,
  UNIT,
} from "../../lambda/accounting/amount.ts";
import { compare, magnitude, rational, roundHalfEven, subtract } from "./rational.ts";

const RUNS = { numRuns: 2000 };
const LIMIT = 10n ** 76n;

/** Includes small numbers, which often fall on halves. */
const whole = fc.oneof(fc.bigInt(-100n, 100n), fc.bigInt(-LIMIT, LIMIT));
const part = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 40n));

describe("the one division", () => {
  test.prop([whole, part], RUNS)("rounds to the nearest whole number, half to even", (numerator, denominator) => {
    const exact = rational(numerator, denominator);
    expect(rational(divideHalfEven(numerator, denominator))).toEqual(roundHalfEven(exact, 0));
  });

  test.prop([whole, part, part], RUNS)(
    "gives a share in units of the 18th place, off by no more than half of one",
    (total, a, b) => {
      const [some, all] = a < b ? [a, b] : [b, a];
      const share = shareOf(total, some, all);
      const exact = rational(total * some, all * 10n ** 36n);
      const off = magnitude(subtract(rational(share, 10n ** 36n), exact));
      expect(share % UNIT).toBe(0n);
      expect(compare(off, rational(1n, 2n * 10n ** 18n))).not.toBe(1);
      expect(shareOf(-total, some, all)).toBe(-share);
    },
  );
});

describe("an amount for people", () => {
  // ISO 4217, list one: minor units of USD 2, JPY 0, KWD 3.
  test.prop([whole, fc.constantFrom(["USD", 2], ["USDT", 2], ["JPY", 0], ["KWD", 3] as const)], RUNS)(
    "is the nearest whole minor unit, half to even",
    (amount, [currency, places]) => {
      const scale = 10n ** 36n;
      expect(rational(roundToMinor(amount, currency), scale)).toEqual(roundHalfEven(rational(amount, scale), places));
    },
  );

  test("has all digits of the minor unit", () => {
    const texts = (amount: bigint) => ["USD", "JPY", "KWD", "BTC"].map((currency) => formatMinor(amount, currency));
    expect(texts(10n ** 36n)).toEqual(["1.00", "1", "1.000", "1.00000000"]);
    expect(texts(-15n * 10n ** 35n)).toEqual(["-1.50", "-2", "-1.500", "-1.50000000"]);
    expect(texts(25n * 10n ** 33n)).toEqual(["0.02", "0", "0.025", "0.02500000"]);
    expect(texts(-4n * 10n ** 33n)).toEqual(["0.00", "0", "-0.004", "-0.00400000"]);
  });

  test.each(["constructor", "__proto__", "toString", ""])(
    "has two digits in a currency that a market calls %s",
    (currency) => {
      expect(formatMinor(10n ** 36n, currency)).toBe("1.00");
    },
  );
});

describe("a plain decimal", () => {
  test.prop([whole], RUNS)("reads back as the amount that was written", (amount) => {
    expect(parseAmount(formatAmount(amount))).toBe(amount);
  });

  test.each(["", "-", "1.", ".5", "1e3", "+1", " 1", "1,000", `0.${"1".repeat(37)}`])("%j is not a decimal", (text) => {
    expect(parseAmount(text)).toBeNull();
  });
});

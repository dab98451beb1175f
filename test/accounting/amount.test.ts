import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { divideHalfEven, shareOf, UNIT } from "../../lambda/accounting/amount.ts";
import { compare, magnitude, rational, roundHalfEven, subtract } from "./rational.ts";

const RUNS = { numRuns: 2000 };
const LIMIT = 10n ** 76n;

/** Small ones too: they meet halves. */
const whole = fc.oneof(fc.bigInt(-100n, 100n), fc.bigInt(-LIMIT, LIMIT));
const part = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 40n));

describe("the one division", () => {
  test.prop([whole, part], RUNS)(
    "goes to the nearest whole number, and half way to the even one",
    (numerator, denominator) => {
      const exact = rational(numerator, denominator);
      expect(rational(divideHalfEven(numerator, denominator))).toEqual(roundHalfEven(exact, 0));
    },
  );

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

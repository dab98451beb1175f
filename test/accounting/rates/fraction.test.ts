import { fc, test } from "@fast-check/vitest";
import { Decimal } from "decimal.js";
import { describe, expect } from "vitest";
import { formatAmount } from "../../../lambda/accounting/amount.ts";
import { convertAt, formatRate, fractionOf, inverse, ONE, times } from "../../../lambda/accounting/rates/fraction.ts";

/** The second implementation: 18 digits, half to even, never an exponent. */
const Printed = Decimal.clone({ precision: 18, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -1000, toExpPos: 1000 });
const Exact = Decimal.clone({ precision: 400, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -1000, toExpPos: 1000 });

const units = fc.bigInt({ min: 1n, max: 10n ** 38n - 1n });
const smallUnits = fc.bigInt({ min: 1n, max: 10n ** 20n });
const rates = fc.oneof(units, smallUnits).map(fractionOf);
const fractions = fc.oneof(
  rates,
  rates.map(inverse),
  fc.tuple(rates, rates, rates).map(([a, b, c]) => times(times(a, inverse(b)), c)),
);
const amounts = fc.bigInt({ min: -(10n ** 56n), max: 10n ** 56n });

describe("rates as fractions", () => {
  test.prop([fractions])("are printed as decimal.js rounds them", (fraction) => {
    const { numerator, denominator } = fraction;
    expect(formatRate(fraction)).toBe(new Printed(numerator.toString()).div(denominator.toString()).toFixed());
  });

  test.prop([fractions])("are reduced, and their inverse is exact", (fraction) => {
    expect(times(fraction, inverse(fraction))).toEqual(ONE);
    expect(inverse(inverse(fraction))).toEqual(fraction);
  });
});

describe("a conversion", () => {
  test.prop([amounts, fractions])(
    "is rounded once, half even, to 8 decimals, as decimal.js does it",
    (amount, fraction) => {
      const exact = new Exact(amount.toString())
        .times("1e-36")
        .times(fraction.numerator.toString())
        .div(fraction.denominator.toString());
      const expected = new Exact(exact.toDecimalPlaces(8, Decimal.ROUND_HALF_EVEN).toFixed());
      expect(new Exact(formatAmount(convertAt(amount, fraction))).equals(expected)).toBe(true);
    },
  );
});

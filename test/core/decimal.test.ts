import { Decimal as DecimalJs } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatUnits, multiply, parseDecimal } from "../../lambda/core/decimal.ts";

/**
 * The second implementation: a private clone of decimal.js. Its precision exceeds that of any product of two
 * amounts, and it never prints an exponent.
 */
const Exact = DecimalJs.clone({ precision: 100, toExpNeg: -1000, toExpPos: 1000 });
const LIMIT = 10n ** 38n;

const GRAMMAR = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;
/** Amounts of all lengths. Short ones are common, as they are in practice. */
const plain = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,8})?$/),
);

function parsed(text: string) {
  const value = parseDecimal(text);
  if (value === null) {
    throw new Error(`not parsed: ${text}`);
  }
  return value;
}

/** decimal.js keeps the sign of zero. */
const withoutMinusZero = (text: string) => (text === "-0" ? "0" : text);

describe("decimals", () => {
  test("parse to the same value as in decimal.js", () => {
    fc.assert(
      fc.property(plain, (text) => {
        const { units, digits } = parsed(text);
        expect(new Exact(units.toString()).times("1e-18").equals(new Exact(text))).toBe(true);
        expect(digits).toBe(text.split(".")[1]?.length ?? 0);
      }),
    );
  });

  test("print every digit that they were given, except the sign of zero", () => {
    fc.assert(
      fc.property(plain, (text) => {
        const { units, digits } = parsed(text);
        expect(formatUnits(units, digits)).toBe(units === 0n ? text.replace("-", "") : text);
        expect(formatUnits(units)).toBe(withoutMinusZero(new Exact(text).toFixed()));
      }),
    );
  });

  test("multiply exactly", () => {
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        const product = multiply(parsed(a), parsed(b));
        const expected = new Exact(a).times(b);
        expect(product.text).toBe(withoutMinusZero(expected.toFixed()));
        const holds = expected.decimalPlaces() <= 18 && expected.abs().lessThan("1e20");
        expect(product.units).toBe(holds ? BigInt(expected.times("1e18").toFixed()) : null);
      }),
    );
  });

  test("multiply to no cell if the product has 21 digits before the point", () => {
    const largest = parsed("9".repeat(20));
    expect(multiply(largest, parsed("1")).units).toBe(largest.units);
    expect(multiply(largest, parsed("2"))).toMatchObject({ units: null, text: `1${"9".repeat(19)}8` });
  });

  test("accept exactly the texts of the grammar", () => {
    const near = fc.string({ unit: fc.constantFrom(..."0123456789.-"), maxLength: 45 });
    fc.assert(
      fc.property(fc.oneof(plain, near, fc.string()), (text) => {
        expect(parseDecimal(text) !== null).toBe(GRAMMAR.test(text));
      }),
    );
  });

  test("end at 20 digits before and 18 after the point", () => {
    const widest = `${"9".repeat(20)}.${"9".repeat(18)}`;
    expect(parsed(widest).units).toBe(LIMIT - 1n);
    expect(parseDecimal(`1${widest}`)).toBeNull();
    expect(parseDecimal(`${widest}0`)).toBeNull();
  });
});

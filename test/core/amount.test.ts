import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  type Amount,
  divide,
  divideTo,
  fitsCell,
  fixed,
  parseAmount,
  plainText,
  readAmount,
  rounded,
  roundedTo,
  shareOf,
  wholeNumber,
  wholeQuotient,
  ZERO,
} from "../../lambda/core/amount.ts";
import { formatMinor, formatMoney, minorUnitsOf } from "../../lambda/core/currency.ts";
import {
  add,
  compare,
  divide as divided,
  magnitude,
  negative,
  type Rational,
  rational,
  read,
  roundHalfEven,
  significantText,
  subtract,
  times,
} from "../accounting/rational.ts";
import { exactly, rationalOf, unitsText } from "../support/amounts.ts";

// The second implementation: fractions.

const RUNS = { numRuns: 1000 };

const PLAIN = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;
const WITH_EXPONENT = /^(?<digits>-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?)[eE](?<exponent>[+-]?\d{1,2})$/;
/** Numbers of all lengths. Short ones are common, as they are in practice. */
const plain = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,6})(\.[0-9]{1,8})?$/),
);
const exponents = fc.tuple(
  plain,
  fc.constantFrom("e", "E"),
  fc.constantFrom("", "+", "-"),
  fc.integer({ min: 0, max: 40 }),
);
const withExponent = exponents.map((parts) => parts.join(""));

/** Amounts of all sizes. Small numbers often fall on halves. */
const units = fc.oneof(fc.bigInt(-100n, 100n), fc.bigInt(-(10n ** 56n), 10n ** 56n));
const amounts = fc.tuple(units, fc.constantFrom(1, 2, 18, 36)).map(([n, scale]) => exactly(unitsText(n, scale)));
const divisors = fc
  .tuple(fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 40n)), fc.constantFrom(1, 18))
  .map(([n, scale]) => exactly(unitsText(n, scale)));

/** The value of a number with or without an exponent. */
function exactValue(text: string): Rational {
  const { digits = text, exponent = "0" } = WITH_EXPONENT.exec(text)?.groups ?? {};
  const power = rational(10n ** BigInt(Math.abs(Number(exponent))));
  return Number(exponent) < 0 ? divided(read(digits), power) : times(read(digits), power);
}

function fits(value: Rational): boolean {
  return 10n ** 18n % value.d === 0n && compare(magnitude(value), rational(10n ** 20n)) < 0;
}

const parsed = (text: string): Amount => parseAmount(text) ?? expect.fail(`not parsed: ${text}`);

describe("a number of the service or the user", () => {
  test.prop([fc.oneof(plain, withExponent)], RUNS)("has the value of its text", (text) => {
    const expected = exactValue(text);
    const amount = parseAmount(text);
    expect(amount === null ? null : rationalOf(amount)).toEqual(fits(expected) ? expected : null);
  });

  const near = fc.string({ unit: fc.constantFrom(..."0123456789.-+eE"), maxLength: 45 });
  test.prop([fc.oneof(plain, withExponent, near, fc.string())], RUNS)("is exactly what the grammar says", (text) => {
    const isNumber = PLAIN.test(text) || (WITH_EXPONENT.test(text) && fits(exactValue(text)));
    expect(parseAmount(text) !== null).toBe(isNumber);
  });

  // What decimal.js takes for numbers, and what would exhaust memory.
  test.each([
    ..."NaN Infinity -Infinity 0x10 0b11 0o7 1_000 +1 .5 5. 007 1e 1e+ e5 1e5.5 1e1000 1e-1000 1e100000000".split(" "),
    "",
    " 1",
    "1 ",
    "1,000",
    "１",
    `${"9".repeat(21)}`,
    `0.${"1".repeat(19)}`,
    "1e20",
    "1e-19",
    "1e9000000000000001",
  ])("%j is none", (text) => {
    expect(parseAmount(text)).toBeNull();
  });

  test.prop([fc.oneof(plain, withExponent)], RUNS)("is written out with every digit that was sent", (text) => {
    const written = plainText(text);
    if (!/e/i.test(text) || parseAmount(text) === null) {
      expect(written).toBe(text);
      return;
    }
    expect(written).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);
    expect(read(written)).toEqual(exactValue(text));
    const [digits = "", exponent] = text.split(/e/i);
    const places = (digits.split(".")[1]?.length ?? 0) - Number(exponent);
    expect(written.split(".")[1]?.length ?? 0).toBe(Math.max(places, 0));
  });

  test.each(["abc", "1e400", "1e", "-", "", "3e-30"])("%j, which is none, stays as it is", (text) => {
    expect(plainText(text)).toBe(text);
  });

  test.each(["0.000000000000000001", `${"9".repeat(20)}.${"9".repeat(18)}`])("%s just fits a cell", (text) => {
    const amount = parsed(text);
    expect(fitsCell(amount)).toBe(true);
    expect(fitsCell(amount.times(exactly("10.1")))).toBe(false);
  });
});

test.prop([amounts, amounts, amounts], RUNS)("sums and products are exact", (a, b, c) => {
  const [x, y, z] = [a, b, c].map(rationalOf) as [Rational, Rational, Rational];
  expect(rationalOfAny(a.plus(b).minus(c))).toEqual(subtract(add(x, y), z));
  expect(rationalOfAny(a.times(b).times(c))).toEqual(times(times(x, y), z));
  expect(rationalOfAny(a.neg())).toEqual(negative(x));
  expect(rationalOfAny(a.abs())).toEqual(magnitude(x));
  expect(Math.sign(a.cmp(b))).toBe(compare(x, y));
  expect([a.eq(b), a.lt(b), a.lte(b), a.gt(b), a.gte(b)]).toEqual(
    [[0], [-1], [-1, 0], [1], [1, 0]].map((signs) => signs.includes(compare(x, y))),
  );
});

/** `read` takes any number of digits. */
function rationalOfAny(amount: Amount): Rational {
  return read(String(amount));
}

describe("an amount is no number of JavaScript", () => {
  test("it cannot be compared, and does not become one", () => {
    const [nine, ten] = [exactly("9"), exactly("10")];
    expect(() => nine < ten).toThrow("compare it with lt, gt or cmp");
    expect(() => Number(nine)).toThrow(TypeError);
    expect(nine.lt(ten)).toBe(true);
  });

  test.each([0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%s is no whole number", (value) => {
    expect(() => wholeNumber(value)).toThrow(RangeError);
  });

  test("whole numbers become amounts", () => {
    expect([0, -7, 2 ** 53 - 1].map((count) => String(wholeNumber(count)))).toEqual(["0", "-7", "9007199254740991"]);
  });
});

describe("a division", () => {
  test.prop([amounts, divisors, fc.constantFrom(0, 2, 8, 18, 36)], RUNS)(
    "rounds once, to the nearest unit of its last place, half to even",
    (amount, divisor, places) => {
      const exact = divided(rationalOf(amount), rationalOf(divisor));
      expect(rationalOf(divide(amount, divisor, places))).toEqual(roundHalfEven(exact, places));
    },
  );

  test.prop([amounts.filter((amount) => !amount.isZero()), divisors, fc.integer({ min: 1, max: 30 })], RUNS)(
    "or to so many significant digits",
    (amount, divisor, digits) => {
      const exact = divided(rationalOf(amount), rationalOf(divisor));
      expect(read(String(divideTo(amount, divisor, digits)))).toEqual(read(significantText(exact, digits)));
    },
  );

  test.prop([amounts, divisors], RUNS)("without a rest leaves one with the sign of the amount", (amount, divisor) => {
    const quotient = wholeQuotient(amount, divisor);
    const rest = amount.minus(quotient.times(divisor));
    expect(rationalOf(quotient).d).toBe(1n);
    expect(rest.abs().lt(divisor)).toBe(true);
    expect(rest.isZero() || rest.lt(ZERO) === amount.lt(ZERO)).toBe(true);
  });

  test.prop([amounts, divisors, divisors], RUNS)(
    "gives shares at 18 places, off by at most half a unit",
    (total, a, b) => {
      const [some, all] = a.lt(b) ? [a, b] : [b, a];
      const share = shareOf(total, some, all);
      const exact = divided(times(rationalOf(total), rationalOf(some)), rationalOf(all));
      expect(compare(magnitude(subtract(rationalOf(share), exact)), rational(1n, 2n * 10n ** 18n))).not.toBe(1);
      expect(shareOf(total.neg(), some, all)).toEqual(share.neg());
    },
  );
});

describe("rounding", () => {
  test.prop([amounts, fc.constantFrom(0, 1, 2, 8, 18)], RUNS)("is half even", (amount, places) => {
    const expected = roundHalfEven(rationalOf(amount), places);
    expect(rationalOf(rounded(amount, places))).toEqual(expected);
    expect(read(fixed(amount, places))).toEqual(expected);
    expect(fixed(amount, places)).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
    expect(fixed(amount, places)).not.toMatch(/^-[0.]*$/);
  });

  test.prop([amounts.filter((amount) => !amount.isZero()), fc.integer({ min: 1, max: 40 })], RUNS)(
    "to significant digits is too",
    (amount, digits) => {
      expect(read(String(roundedTo(amount, digits)))).toEqual(read(significantText(rationalOf(amount), digits)));
    },
  );
});

describe("an amount for people", () => {
  // ISO 4217, list one: minor units of USD 2, JPY 0, KWD 3.
  test.prop([amounts, fc.constantFrom(["USD", 2], ["USDT", 2], ["XBT", 8], ["JPY", 0], ["KWD", 3] as const)], RUNS)(
    "is the nearest whole minor unit, half to even",
    (amount, [currency, places]) => {
      expect(read(formatMinor(amount, currency))).toEqual(roundHalfEven(rationalOf(amount), places));
    },
  );

  test("has the digits of ISO 4217 in every national currency: as CLDR has them, unless that says 0", () => {
    const gone = ["CUC", "HRK", "SLL", "XDR", "XSU", "ZWL"]; // withdrawn, or units of banks
    for (const currency of Intl.supportedValuesOf("currency").filter((code) => !gone.includes(code))) {
      const options = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
      const { maximumFractionDigits: digits } = options;
      expect(digits === 0 ? [0, 2, 3] : [digits], currency).toContain(minorUnitsOf(currency));
    }
  });

  test("may have groups of thousands", () => {
    expect(formatMoney(exactly("-1234567.895"), "USD")).toBe("-1,234,567.90");
  });

  test.each(["XBT", "SOL", "HYPE", "constructor", "__proto__", "toString", ""])(
    "has 8 digits in %j, as in any coin, whatever a market calls it: 0.00595 of one is no cent",
    (coin) => {
      expect(formatMinor(exactly("0.00595"), coin)).toBe("0.00595000");
    },
  );
});

describe("an amount that fillbook wrote", () => {
  test.prop([amounts], RUNS)("reads back as the amount that was written", (amount) => {
    expect(readAmount(String(amount))).toEqual(amount);
  });

  test.each(["", "-", "1.", ".5", "1e3", "+1", " 1", "1,000", `0.${"1".repeat(37)}`, "1".repeat(61)])(
    "%j is none",
    (text) => {
      expect(readAmount(text)).toBeNull();
    },
  );
});

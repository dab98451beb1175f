import { Decimal } from "decimal.js";
import { getOrMake } from "./get-or-make.ts";

/**
 * Prices, quantities and money: exact decimals. An Amount is a Decimal of decimal.js, of which this type
 * shows what never rounds. Numbers of JavaScript do not get in, and there is no division but those below.
 */
export interface Amount {
  plus(other: Amount): Amount;
  minus(other: Amount): Amount;
  times(other: Amount): Amount;
  neg(): Amount;
  abs(): Amount;
  /** Negative: this is smaller. Positive: the other is. */
  cmp(other: Amount): number;
  eq(other: Amount): boolean;
  lt(other: Amount): boolean;
  lte(other: Amount): boolean;
  gt(other: Amount): boolean;
  gte(other: Amount): boolean;
  isZero(): boolean;
  /** A plain decimal: every digit, no trailing zeros, no exponent, no negative zero. */
  toString(): string;
}

/**
 * No sum, product or quotient of a pack has nearly as many digits as this precision, so nothing is rounded
 * unless it is asked for.
 */
const Exact = Decimal.clone({
  defaults: true,
  precision: 1000,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
});

/**
 * JavaScript would compare `a < b` as texts, and the compiler allows it. On a prototype of its own, because
 * decimal.js compares numbers in some functions that are not used here.
 */
Object.defineProperty(Exact, "prototype", {
  value: Object.create(Exact.prototype, {
    [Symbol.toPrimitive]: {
      value(this: Decimal, hint: string): string {
        if (hint === "number") {
          throw new TypeError("an amount is no number: compare it with lt, gt or cmp");
        }
        return this.toString();
      },
    },
  }),
});

function amountOf(value: Decimal): Amount {
  return value as unknown as Amount;
}

function decimalOf(amount: Amount): Decimal {
  return amount as unknown as Decimal;
}

/** A whole number: a count, or a constant. Throws a RangeError for any other. */
export function wholeNumber(count: number): Amount {
  if (!Number.isSafeInteger(count)) {
    throw new RangeError(`not a whole number: ${count}`);
  }
  return amountOf(new Exact(count));
}

const POWERS = new Map<number, Amount>();

/** 10 to the power, which may be negative. */
export function tenTo(power: number): Amount {
  return getOrMake(POWERS, power, () => amountOf(new Exact(`1e${power}`)));
}

export const ZERO = wholeNumber(0);
export const ONE = wholeNumber(1);

/** Digits before and after the point of a number from outside, as a DECIMAL(38,18) of Parquet has them. */
const WHOLE_DIGITS = 20;
export const PLACES = 18;
const LIMIT = tenTo(WHOLE_DIGITS);
const NUMBER = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?$/;
/** Products of two such numbers, and sums of many, as our own files write them. */
const WRITTEN = /^-?\d{1,60}(?:\.\d{1,36})?$/;

/** A number of the service or the user. Null: there is none, the text is none, or it has too many digits. */
export function parseAmount(text: string | null): Amount | null {
  if (text === null || !NUMBER.test(text)) {
    return null;
  }
  const amount = amountOf(new Exact(text));
  return !/e/i.test(text) || fitsCell(amount) ? amount : null;
}

/** Whether a DECIMAL(38,18) holds it. */
export function fitsCell(amount: Amount): boolean {
  return decimalOf(amount).decimalPlaces() <= PLACES && amount.abs().lt(LIMIT);
}

/** An amount that fillbook wrote. Null: another text. */
export function readAmount(text: string): Amount | null {
  return WRITTEN.test(text) ? amountOf(new Exact(text)) : null;
}

/** A number as it was sent, with every digit, and an exponent written out. Any other text stays as it is. */
export function plainText(text: string): string {
  const amount = /e/i.test(text) ? parseAmount(text) : null;
  if (amount === null) {
    return text;
  }
  const [digits = "", exponent] = text.split(/e/i);
  const places = (digits.split(".")[1]?.length ?? 0) - Number(exponent);
  return decimalOf(amount).toFixed(Math.max(places, 0));
}

/** To so many places, half even. */
export function rounded(amount: Amount, places: number): Amount {
  return amountOf(decimalOf(amount).toDecimalPlaces(places));
}

/** To so many significant digits, half even. */
export function roundedTo(amount: Amount, digits: number): Amount {
  return amountOf(decimalOf(amount).toSignificantDigits(digits));
}

/**
 * amount ÷ divisor to so many significant digits, half even. The quotient at full precision is never so close
 * to a half that it could be rounded to one: its distance is at least that of one in the divisor.
 */
export function divideTo(amount: Amount, divisor: Amount, digits: number): Amount {
  return roundedTo(amountOf(decimalOf(amount).div(decimalOf(divisor))), digits);
}

/** Rounded half even, with all its places: `-0.50`. */
export function fixed(amount: Amount, places: number): string {
  return decimalOf(rounded(amount, places)).toFixed(places);
}

/** How often the divisor goes into the amount, without the rest. */
export function wholeQuotient(amount: Amount, divisor: Amount): Amount {
  return amountOf(decimalOf(amount).divToInt(decimalOf(divisor)));
}

const TWO = wholeNumber(2);

/**
 * amount ÷ divisor, rounded half even, once: a whole number of units of the last place, and a remainder that
 * decides whether it is one more. The divisor is above zero.
 */
export function divide(amount: Amount, divisor: Amount, places: number): Amount {
  const units = amount.times(tenTo(places));
  const quotient = wholeQuotient(units, divisor);
  const side = units.minus(quotient.times(divisor)).abs().times(TWO).cmp(divisor);
  const isUp = side > 0 || (side === 0 && !wholeQuotient(quotient, TWO).times(TWO).eq(quotient));
  return (isUp ? quotient.plus(wholeNumber(signOf(amount))) : quotient).times(tenTo(-places));
}

/**
 * `total × part ÷ whole`, at 18 places. The only division in the accounts. The rest of a total is found by
 * subtraction, so shares always add up to it.
 */
export function shareOf(total: Amount, part: Amount, all: Amount): Amount {
  return divide(total.times(part), all, PLACES);
}

export type Sign = 1 | -1;

/** Of zero: 1. */
export function signOf(amount: Amount): Sign {
  return amount.lt(ZERO) ? -1 : 1;
}

export function withSign(sign: Sign, amount: Amount): Amount {
  return sign === 1 ? amount : amount.neg();
}

export function totalOf<T>(items: readonly T[], amountIn: (item: T) => Amount): Amount {
  const [first = ZERO, ...more] = items.map(amountIn);
  return more.reduce((total, amount) => total.plus(amount), first);
}

export function least(a: Amount, b: Amount): Amount {
  return a.lt(b) ? a : b;
}

export function greatest(a: Amount, b: Amount): Amount {
  return a.gt(b) ? a : b;
}

import { type Amount, divideHalfEven, UNIT } from "../amount.ts";

/** An exact rate. Both numbers are above zero, and reduced. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** The fraction of an integer × 10^18 above zero. */
export function fractionOf(units: bigint): Fraction {
  return reduced(units, UNIT);
}

export function inverse({ numerator, denominator }: Fraction): Fraction {
  return { numerator: denominator, denominator: numerator };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Decimals of a converted amount. */
export const CONVERTED_PLACES = 8;
/** 10^28: an Amount has 36 decimals, and 8 of them are kept. */
const STEP = 10n ** BigInt(36 - CONVERTED_PLACES);

/**
 * `amount × rate`, rounded half even to a step (by default 8 decimals). This is the only rounding of a
 * conversion.
 */
export function convertAt(amount: Amount, { numerator, denominator }: Fraction, step: Amount = STEP): Amount {
  return divideHalfEven(amount * numerator, denominator * step) * step;
}

/** The significant digits of a printed rate. */
const DIGITS = 18;

/** Plain text of at most 18 significant digits, rounded half even. Exact if the rate has no more digits. */
export function formatRate({ numerator, denominator }: Fraction): string {
  const exponent = exponentOf(numerator, denominator);
  const scale = DIGITS - 1 - exponent; // decimals of the last digit that counts
  const digits =
    scale < 0
      ? divideHalfEven(numerator, denominator * 10n ** BigInt(-scale)) * 10n ** BigInt(-scale)
      : divideHalfEven(numerator * 10n ** BigInt(scale), denominator);
  const decimals = Math.max(scale, 0);
  const text = digits.toString().padStart(decimals + 1, "0");
  const whole = text.slice(0, text.length - decimals);
  const fraction = text.slice(text.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** The exponent of the first digit: 2 for 123, -2 for 0.0123. */
function exponentOf(numerator: bigint, denominator: bigint): number {
  const guess = numerator.toString().length - denominator.toString().length;
  const isReached =
    guess < 0 ? numerator * 10n ** BigInt(-guess) >= denominator : numerator >= denominator * 10n ** BigInt(guess);
  return isReached ? guess : guess - 1;
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator, denominator];
  while (b !== 0n) {
    [a, b] = [b, a % b];
  }
  return { numerator: numerator / a, denominator: denominator / a };
}

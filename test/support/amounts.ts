import { type Amount, readAmount } from "../../lambda/core/amount.ts";
import { type Rational, read } from "../accounting/rational.ts";

/** The amount of a plain decimal with at most 36 digits after the point. */
export function exactly(text: string): Amount {
  const amount = readAmount(text);
  if (amount === null) {
    throw new TypeError(`not a plain decimal: ${text}`);
  }
  return amount;
}

export function rationalOf(amount: Amount): Rational {
  return read(String(amount));
}

/** × 10^36, for tests that add up digits as whole numbers. Throws if 36 places do not hold it. */
export function unitsOf({ n, d }: Rational): bigint {
  const units = (n * 10n ** 36n) / d;
  if (units * d !== n * 10n ** 36n) {
    throw new RangeError(`${n}/${d} is no decimal of 36 places`);
  }
  return units;
}

export function amountOf(value: Rational): Amount {
  return exactly(unitsText(unitsOf(value), 36));
}

/** A scaled integer as a plain decimal without trailing zeros. */
export function unitsText(units: bigint, scale = 18): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, "");
  return units < 0n ? `-${text}` : text;
}

/** `units` × 10^-18 */
export function ofUnits(units: bigint): Amount {
  return exactly(unitsText(units));
}

export function scaled(amount: Amount): bigint {
  return unitsOf(rationalOf(amount));
}

import { minorUnitsOf } from "../core/currency.ts";
import { formatWide, SCALE } from "../core/decimal.ts";

/** Money: an integer × 10^36, in which the product of two amounts of 18 places (a price and a quantity) is exact. */
export type Amount = bigint;

/** 10^18: what turns an integer × 10^18, as quantities, prices and fees are read, into an Amount. */
export const UNIT = 10n ** BigInt(SCALE);

/** An integer × 10^18 as an Amount. */
export function amountOf(units: bigint): Amount {
  return units * UNIT;
}

/** Plain text with every digit and no trailing zeros. */
export function formatAmount(amount: Amount): string {
  return formatWide(amount);
}

/** What `formatAmount` writes: a plain decimal with at most 36 digits after the point; null: another text. */
export function parseAmount(text: string): Amount | null {
  const {
    sign,
    whole,
    fraction = "",
  } = /^(?<sign>-?)(?<whole>\d{1,60})(?:\.(?<fraction>\d{1,36}))?$/.exec(text)?.groups ?? {};
  return whole === undefined ? null : BigInt(`${sign}${whole}${fraction.padEnd(2 * SCALE, "0")}`);
}

/** The amount in whole minor units of its currency (cents of USD), halves to the even one: how every view for people rounds. */
export function roundToMinor(amount: Amount, currency: string): Amount {
  const unit = 10n ** BigInt(2 * SCALE - minorUnitsOf(currency));
  return divideHalfEven(amount, unit) * unit;
}

/** The same as plain text with all digits of the minor unit: `-0.50` USD, `1200` JPY. */
export function formatMinor(amount: Amount, currency: string): string {
  const [whole = "", fraction = ""] = formatAmount(roundToMinor(amount, currency)).split(".");
  const places = minorUnitsOf(currency);
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
}

/**
 * `total × part ÷ whole`, rounded half even to 18 places: the only division of the accounts. `part` and `whole` are in one unit, `whole` is above zero. What
 * is left of a total is taken by subtraction, so shares always add up to it.
 */
export function shareOf(total: Amount, part: bigint, whole: bigint): Amount {
  return divideHalfEven(total * part, whole * UNIT) * UNIT;
}

/** `numerator ÷ denominator` as a whole number, halves to the even one. The denominator is above zero. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const floor = magnitude / denominator;
  const twice = 2n * (magnitude - floor * denominator);
  const isUp = twice > denominator || (twice === denominator && floor % 2n === 1n);
  const rounded = isUp ? floor + 1n : floor;
  return numerator < 0n ? -rounded : rounded;
}

import { minorUnitsOf } from "../core/currency.ts";
import { formatWide, SCALE } from "../core/decimal.ts";
import { grouped } from "../core/text.ts";

/**
 * Money: an integer × 10^36. The product of two numbers of 18 places (a price and a quantity) is exact in it.
 */
export type Amount = bigint;

/** 10^18. Multiplied by it, an integer × 10^18 (a quantity, price or fee) becomes an Amount. */
export const UNIT = 10n ** BigInt(SCALE);

/** An integer × 10^18 as an Amount. */
export function amountOf(units: bigint): Amount {
  return units * UNIT;
}

/** Plain text with every digit and no trailing zeros. */
export function formatAmount(amount: Amount): string {
  return formatWide(amount);
}

/**
 * Reads what `formatAmount` writes: a plain decimal with at most 36 digits after the point. Null: another
 * text.
 */
export function parseAmount(text: string): Amount | null {
  const {
    sign,
    whole,
    fraction = "",
  } = /^(?<sign>-?)(?<whole>\d{1,60})(?:\.(?<fraction>\d{1,36}))?$/.exec(text)?.groups ?? {};
  return whole === undefined ? null : BigInt(`${sign}${whole}${fraction.padEnd(2 * SCALE, "0")}`);
}

/** 0.01 of USD, 1 of JPY. */
export function minorUnit(currency: string): Amount {
  return 10n ** BigInt(2 * SCALE - minorUnitsOf(currency));
}

/**
 * The amount in whole minor units of its currency (cents of USD), rounded half even. Every view for people
 * rounds like this.
 */
export function roundToMinor(amount: Amount, currency: string): Amount {
  const unit = minorUnit(currency);
  return divideHalfEven(amount, unit) * unit;
}

/** The rounded amount as plain text with all digits of the minor unit: `-0.50` USD, `1200` JPY. */
export function formatMinor(amount: Amount, currency: string): string {
  const [whole = "", fraction = ""] = formatAmount(roundToMinor(amount, currency)).split(".");
  const places = minorUnitsOf(currency);
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
}

/** The same for people, in groups of thousands: `-1,234.50`. */
export function formatMoney(amount: Amount, currency: string): string {
  const [whole = "", ...fraction] = formatMinor(amount, currency).split(".");
  return [grouped(whole), ...fraction].join(".");
}

/**
 * `total × part ÷ whole`, rounded half even to 18 places. This is the only division in the accounts. `part`
 * and `whole` have one unit, and `whole` is above zero. The remainder of a total is found by subtraction, so
 * shares always add up to it.
 */
export function shareOf(total: Amount, part: bigint, whole: bigint): Amount {
  return divideHalfEven(total * part, whole * UNIT) * UNIT;
}

/** `numerator ÷ denominator` as a whole number, rounded half even. The denominator is above zero. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const floor = magnitude / denominator;
  const twice = 2n * (magnitude - floor * denominator);
  const isUp = twice > denominator || (twice === denominator && floor % 2n === 1n);
  const rounded = isUp ? floor + 1n : floor;
  return numerator < 0n ? -rounded : rounded;
}

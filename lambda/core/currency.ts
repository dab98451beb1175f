import { type Amount, fixed, rounded, tenTo } from "./amount.ts";
import { grouped } from "./text.ts";

/** The code of a currency to convert into, as the user writes it: `EUR`, `USDC`. */
const CODE = /^[A-Z]{3,5}$/;

export function isCurrencyCode(text: string): boolean {
  return CODE.test(text);
}

/** What people write of a currency besides its code. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["EURO", "EUR"],
  ["EUROS", "EUR"],
  ["$", "USD"],
  ["US$", "USD"],
  ["DOLLAR", "USD"],
  ["£", "GBP"],
  ["POUND", "GBP"],
  ["¥", "JPY"],
  ["YEN", "JPY"],
  ["FRANC", "CHF"],
  ["RUPEE", "INR"],
  ["₹", "INR"],
  ["YUAN", "CNY"],
  ["RMB", "CNY"],
]);

/** The code of the currency that was probably meant; null: none can be told. What is a code is meant. */
export function meantCurrency(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  const called = CALLED.get(code) ?? code;
  return isCurrencyCode(called) ? called : null;
}

/**
 * Digits after the decimal point for currencies that do not have two: by ISO 4217, and for coins by their
 * smallest unit, at most 8.
 */
const MINOR_UNITS: ReadonlyMap<string, number> = new Map([
  ["CLP", 0],
  ["ISK", 0],
  ["JPY", 0],
  ["KRW", 0],
  ["VND", 0],
  ["BHD", 3],
  ["JOD", 3],
  ["KWD", 3],
  ["OMR", 3],
  ["TND", 3],
  ["BTC", 8],
  ["ETH", 8],
]);

/**
 * How many digits after the decimal point people write for an amount. Two, unless the list says otherwise.
 */
export function minorUnitsOf(currency: string): number {
  return MINOR_UNITS.get(currency) ?? 2;
}

/** 0.01 of USD, 1 of JPY. */
export function minorUnit(currency: string): Amount {
  return tenTo(-minorUnitsOf(currency));
}

/**
 * The amount in whole minor units of its currency (cents of USD), rounded half even. Every view for people
 * rounds like this.
 */
export function roundToMinor(amount: Amount, currency: string): Amount {
  return rounded(amount, minorUnitsOf(currency));
}

/** The rounded amount as plain text with all digits of the minor unit: `-0.50` USD, `1200` JPY. */
export function formatMinor(amount: Amount, currency: string): string {
  return fixed(amount, minorUnitsOf(currency));
}

/** The same for people, in groups of thousands: `-1,234.50`. */
export function formatMoney(amount: Amount, currency: string): string {
  const [units = "", ...fraction] = formatMinor(amount, currency).split(".");
  return [grouped(units), ...fraction].join(".");
}

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

/** The code of a currency to convert into, as the user writes it: `EUR`, `USDC`. */
const CODE = /^[A-Z]{3,5}$/;

export function isCurrencyCode(text: string): boolean {
  return CODE.test(text);
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

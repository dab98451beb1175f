/** Of a currency that amounts are converted into, as the user names it: `EUR`, `USDC`. */
const CODE = /^[A-Z]{3,5}$/;

export function isCurrencyCode(text: string): boolean {
  return CODE.test(text);
}

/** Digits after the point where they are not two: ISO 4217, and for the coins that markets may be settled in their own smallest unit, at most 8. */
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

/** How many digits after the point people write of an amount: two, unless the currency has its own. */
export function minorUnitsOf(currency: string): number {
  return MINOR_UNITS.get(currency) ?? 2;
}

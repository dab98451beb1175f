/** Of a currency that amounts are converted into, as the user names it: `EUR`, `USDC`. */
const CODE = /^[A-Z]{3,5}$/;

export function isCurrencyCode(text: string): boolean {
  return CODE.test(text);
}

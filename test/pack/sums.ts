import { Decimal } from "decimal.js";
import type { Amount } from "../../lambda/core/amount.ts";

/** Decimals of a page and a workbook, in another arithmetic than the program's. */
export const Exact = Decimal.clone({
  precision: 200,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -1000,
  toExpPos: 1000,
});

export function total(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}

export function exact(amount: Amount): Decimal {
  return new Exact(String(amount));
}

/** All digits, with zero unsigned. */
export function plain(amount: Decimal): string {
  return amount.toFixed().replace(/^-0$/, "0");
}

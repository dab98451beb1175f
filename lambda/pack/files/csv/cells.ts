import { type Amount, divideHalfEven, formatAmount } from "../../../accounting/amount.ts";
import { formatUnits } from "../../../core/decimal.ts";

/** Exact; what is not known is empty, never 0. */
export function amountCell(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

/** Of a quantity or a price, × 10^18. */
export function unitsCell(units: bigint | null): string | null {
  return units === null ? null : formatUnits(units);
}

/** Of a position that is known and not flat, by its sign. */
export function sideOf(signed: bigint): "long" | "short" {
  return signed < 0n ? "short" : "long";
}

/** What stands for no is an empty cell. */
export function yesCell(isSo: boolean): string | null {
  return isSo ? "yes" : null;
}

/** `value ÷ quantity`, rounded half even to 18 places: of one lot its price, of a pool its average. */
export function priceCell(value: Amount, quantity: bigint): string {
  return formatUnits(divideHalfEven(value, quantity));
}

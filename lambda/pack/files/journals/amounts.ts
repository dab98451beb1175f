import type { Amount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";

/** Digits after the point of a plain decimal. */
export function placesOf(text: string): number {
  const point = text.indexOf(".");
  return point === -1 ? 0 : text.length - point - 1;
}

/** A plain decimal with so many digits after the point; it has no more. */
export function padPlaces(text: string, places: number): string {
  const missing = places - placesOf(text);
  return missing === 0 ? text : `${text}${missing === places ? "." : ""}${"0".repeat(missing)}`;
}

export function negative(text: string): string {
  return text.startsWith("-") ? text.slice(1) : `-${text}`;
}

/** The same amount as summands of at most so many significant digits each, the largest first. */
export function pieces(amount: Amount, digits: number): readonly Amount[] {
  const text = magnitude(amount).toString();
  if (text.replace(/0+$/, "").length <= digits) {
    return [amount];
  }
  const unit = 10n ** BigInt(text.length - digits);
  const first = (amount / unit) * unit;
  return [first, ...pieces(amount - first, digits)];
}

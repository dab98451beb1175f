import type { Break } from "../../accounting/breaks.ts";
import { isoTime } from "../../core/time.ts";

/** `fills from … up to … are missing` */
export function missingText({ from, to }: Break): string {
  return from === to
    ? `fills just before ${isoTime(to)} are missing`
    : `fills from ${isoTime(from)} up to ${isoTime(to)} are missing`;
}

/** The position from which the accounts continue: `3 at 120`. */
export function newStartText({ quantity, price }: Break): string {
  const cost = price === null ? "an unknown price" : String(price);
  return quantity.isZero() ? "0" : `${quantity} at ${cost}`;
}

/** What a reader must know of a break, besides its market and its evidence. */
export function breakText(one: Break): string {
  return `${missingText(one)}, as declared in the user's opening-positions.csv. PnL is blank there. After the break, the records continue from a position of ${newStartText(one)}.`;
}

import { type Amount, formatAmount } from "../../accounting/amount.ts";

/** Digits after the point that the amounts need at least. */
export function placesOf(amounts: readonly Amount[]): number {
  return Math.max(0, ...amounts.map((amount) => formatAmount(amount).split(".")[1]?.length ?? 0));
}

/** With so many digits after the point; it needs no more. */
export function formatPlaces(amount: Amount, places: number): string {
  const [whole = "", fraction = ""] = formatAmount(amount).split(".");
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
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

export function magnitude(amount: Amount): Amount {
  return amount < 0n ? -amount : amount;
}

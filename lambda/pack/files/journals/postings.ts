import type { Amount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { compareText } from "../../../core/text.ts";

/** One leg of an entry. */
export interface Posting {
  readonly account: string;
  readonly commodity: string;
  readonly amount: Amount;
  /** The same as a plain decimal. */
  readonly text: string;
}

/** What an account holds of one commodity. */
export interface Balance {
  readonly account: string;
  readonly commodity: string;
  amount: Amount;
  /** Digits after the point that the postings had, at most. */
  places: number;
  /** The largest that it or one of the postings ever was, without sign. */
  largest: Amount;
  postings: number;
}

/** Adds up postings. What it holds grows with accounts and commodities. */
export class Balances {
  /** By account, then commodity. */
  readonly #balances = new Map<string, Map<string, Balance>>();

  /** Postings of one entry, in one commodity; throws when they are not balanced: no such entry is written. */
  add(postings: readonly Posting[]): void {
    let rest = 0n;
    for (const { account, commodity, amount, text } of postings) {
      rest += amount;
      const balance = this.#balanceOf(account, commodity);
      balance.amount += amount;
      balance.places = Math.max(balance.places, placesOf(text));
      balance.largest = larger(balance.largest, larger(magnitude(balance.amount), magnitude(amount)));
      balance.postings += 1;
    }
    if (rest !== 0n) {
      throw new RangeError(`an entry does not balance: ${postings.map(({ text }) => text).join(", ")}`);
    }
  }

  /** By account, then commodity. */
  get all(): readonly Readonly<Balance>[] {
    return [...this.#balances.values()]
      .flatMap((own) => [...own.values()])
      .sort((a, b) => compareText(`${a.account}\n${a.commodity}`, `${b.account}\n${b.commodity}`));
  }

  #balanceOf(account: string, commodity: string): Balance {
    const own = getOrMake(this.#balances, account, () => new Map<string, Balance>());
    return getOrMake(own, commodity, () => ({ account, commodity, amount: 0n, places: 0, largest: 0n, postings: 0 }));
  }
}

function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}

/** The legs of an entry, a line each, in columns, all amounts with the same number of places. */
export function postingLines(
  postings: readonly Posting[],
  indent: string,
  symbolOf: (commodity: string) => string,
): string {
  let [places, accountWidth, numberWidth] = [0, 0, 0];
  for (const { account, text } of postings) {
    places = Math.max(places, placesOf(text));
    accountWidth = Math.max(accountWidth, account.length);
  }
  const numbers = postings.map(({ text }) => padPlaces(text, places));
  for (const { length } of numbers) {
    numberWidth = Math.max(numberWidth, length);
  }
  let lines = "";
  for (const [at, { account, commodity }] of postings.entries()) {
    const number = numbers[at] ?? "";
    lines += `${indent}${account.padEnd(accountWidth)}    ${number.padStart(numberWidth)} ${symbolOf(commodity)}\n`;
  }
  return lines;
}

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

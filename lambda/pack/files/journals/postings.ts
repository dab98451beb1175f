import type { Amount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { compareText } from "../../../core/text.ts";

/** One leg of an entry. */
export interface Posting {
  /** Of the account that it is booked to. */
  readonly balance: Balance;
  readonly amount: Amount;
  /** The same as a plain decimal. */
  readonly text: string;
  /** Digits after the point of the text. */
  readonly places: number;
}

/** What an account holds of one commodity. */
export interface Balance {
  readonly account: string;
  readonly commodity: string;
  /** The commodity as a line has it. */
  readonly symbol: string;
  /** What a line of it begins with, by the width of the accounts of its entry. */
  readonly labels: Map<number, string>;
  amount: Amount;
  /** Digits after the point that the postings had, at most. */
  places: number;
  /** The largest that it or one of the postings ever was, without sign. */
  largest: Amount;
  postings: number;
}

/** How a program wants the legs of an entry. */
export interface PostingStyle {
  readonly indent: string;
  readonly symbolOf: (commodity: string) => string;
}

/** Adds up postings. What it holds grows with accounts and commodities. */
export class Balances {
  /** By account, then commodity. */
  readonly #balances = new Map<string, Map<string, Balance>>();
  readonly #style: PostingStyle;

  constructor(style: PostingStyle) {
    this.#style = style;
  }

  of(account: string, commodity: string): Balance {
    const own = getOrMake(this.#balances, account, () => new Map<string, Balance>());
    const symbol = this.#style.symbolOf(commodity);
    const none = { amount: 0n, places: 0, largest: 0n, postings: 0 };
    return getOrMake(own, commodity, () => ({ account, commodity, symbol, labels: new Map(), ...none }));
  }

  /** Postings of one entry, in one commodity; throws when they are not balanced: no such entry is written. */
  add(postings: readonly Posting[]): void {
    let rest = 0n;
    for (const { balance, amount, places } of postings) {
      rest += amount;
      balance.amount += amount;
      balance.places = Math.max(balance.places, places);
      balance.largest = larger(balance.largest, larger(magnitude(balance.amount), magnitude(amount)));
      balance.postings += 1;
    }
    if (rest !== 0n) {
      throw new RangeError(`an entry does not balance: ${postings.map(({ text }) => text).join(", ")}`);
    }
  }

  /** The legs of an entry, a line each, in columns, all amounts with the same number of places. */
  linesOf(postings: readonly Posting[]): string {
    let [places, accountWidth, numberWidth] = [0, 0, 0];
    for (const { balance, places: own } of postings) {
      places = Math.max(places, own);
      accountWidth = Math.max(accountWidth, balance.account.length);
    }
    for (const { text, places: own } of postings) {
      numberWidth = Math.max(numberWidth, text.length + (own === 0 && places > 0 ? 1 : 0) + places - own);
    }
    let lines = "";
    for (const { balance, text } of postings) {
      lines += `${this.#labelOf(balance, accountWidth)}${padPlaces(text, places).padStart(numberWidth)} ${balance.symbol}\n`;
    }
    return lines;
  }

  #labelOf({ account, labels }: Balance, width: number): string {
    return getOrMake(labels, width, () => `${this.#style.indent}${account.padEnd(width)}    `);
  }

  /** Of accounts with postings, by account, then commodity. */
  get all(): readonly Readonly<Balance>[] {
    return [...this.#balances.values()]
      .flatMap((own) => [...own.values()])
      .filter(({ postings }) => postings > 0)
      .sort((a, b) => compareText(`${a.account}\n${a.commodity}`, `${b.account}\n${b.commodity}`));
  }
}

function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
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

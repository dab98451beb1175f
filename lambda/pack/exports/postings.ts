import { type Amount, cutTo, greatest, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";

/** One leg of an entry. */
export interface Posting {
  /** The balance of its account. */
  readonly balance: Balance;
  readonly amount: Amount;
  /** The amount as a plain decimal. */
  readonly text: string;
  /** Digits after the point of the text. */
  readonly places: number;
}

/** What an account holds of one commodity. */
export interface Balance {
  readonly account: string;
  readonly commodity: string;
  /** The commodity as it is written in a line. */
  readonly symbol: string;
  /** The beginning of its lines, by the width of the accounts of the entry. */
  readonly labels: Map<number, string>;
  amount: Amount;
  /** The most digits after the point of its postings. */
  places: number;
  /** The largest absolute value of the balance or a posting so far. */
  largest: Amount;
  postings: number;
}

/** How a program writes the postings of an entry. */
export interface PostingStyle {
  readonly indent: string;
  readonly symbolOf: (commodity: string) => string;
}

/** Adds up postings. Its size grows with accounts and commodities. */
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
    const none = { amount: ZERO, places: 0, largest: ZERO, postings: 0 };
    return getOrMake(own, commodity, () => ({ account, commodity, symbol, labels: new Map(), ...none }));
  }

  /**
   * Adds the postings of one entry in one commodity. Throws if they do not balance, so that no such entry is
   * written.
   */
  add(postings: readonly Posting[]): void {
    let rest = ZERO;
    for (const { balance, amount, places } of postings) {
      rest = rest.plus(amount);
      balance.amount = balance.amount.plus(amount);
      balance.places = Math.max(balance.places, places);
      balance.largest = greatest(balance.largest, greatest(balance.amount.abs(), amount.abs()));
      balance.postings += 1;
    }
    if (!rest.isZero()) {
      throw new RangeError(`an entry does not balance: ${postings.map(({ text }) => text).join(", ")}`);
    }
  }

  /** The postings of an entry, one a line, in columns. All amounts have the same number of places. */
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

  /** The balances of accounts with postings, by account, then commodity. */
  get all(): readonly Readonly<Balance>[] {
    return [...this.#balances.values()]
      .flatMap((own) => [...own.values()])
      .filter(({ postings }) => postings > 0)
      .sort((a, b) => compareText(`${a.account}\n${a.commodity}`, `${b.account}\n${b.commodity}`));
  }
}

/** Digits after the point of a plain decimal. */
export function placesOf(text: string): number {
  const point = text.indexOf(".");
  return point === -1 ? 0 : text.length - point - 1;
}

/** Pads a plain decimal to `places` digits after the point. It must not have more. */
export function padPlaces(text: string, places: number): string {
  const missing = places - placesOf(text);
  return missing === 0 ? text : `${text}${missing === places ? "." : ""}${"0".repeat(missing)}`;
}

/** The amount as summands of at most `digits` significant digits each, the largest first. */
export function pieces(amount: Amount, digits: number): readonly Amount[] {
  const first = digits === Number.POSITIVE_INFINITY ? amount : cutTo(amount, digits);
  return first.eq(amount) ? [amount] : [first, ...pieces(amount.minus(first), digits)];
}

import { type Amount, cutTo, greatest, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";

/** What an account holds of one commodity. */
export interface Balance {
  readonly account: string;
  readonly commodity: string;
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
  /** By account and commodity. */
  readonly #balances = new Map<string, Balance>();
  readonly #style: PostingStyle;

  constructor(style: PostingStyle) {
    this.#style = style;
  }

  of(account: string, commodity: string): Balance {
    const none = { amount: ZERO, places: 0, largest: ZERO, postings: 0 };
    return getOrMake(this.#balances, `${account}\n${commodity}`, () => ({ account, commodity, ...none }));
  }

  /** Adds the postings of an entry. Returns them one a line, in columns, with the same number of places. */
  post(postings: readonly (readonly [balance: Balance, amount: Amount])[]): string {
    const { indent, symbolOf } = this.#style;
    const places = Math.max(...postings.map(([, amount]) => placesOf(String(amount))));
    const numbers = postings.map(([, amount]) => padPlaces(String(amount), places));
    const accountWidth = Math.max(...postings.map(([{ account }]) => account.length));
    const numberWidth = Math.max(...numbers.map((number) => number.length));
    for (const [balance, amount] of postings) {
      balance.amount = balance.amount.plus(amount);
      balance.places = Math.max(balance.places, placesOf(String(amount)));
      balance.largest = greatest(balance.largest, greatest(balance.amount.abs(), amount.abs()));
      balance.postings += 1;
    }
    return postings
      .map(([{ account, commodity }], at) => {
        const number = (numbers[at] ?? "").padStart(numberWidth);
        return `${indent}${account.padEnd(accountWidth)}    ${number} ${symbolOf(commodity)}\n`;
      })
      .join("");
  }

  /** The balances of accounts with postings, by account, then commodity. */
  get all(): readonly Readonly<Balance>[] {
    return [...this.#balances]
      .filter(([, { postings }]) => postings > 0)
      .sort(([a], [b]) => compareText(a, b))
      .map(([, balance]) => balance);
  }
}

/** Digits after the point of a plain decimal. */
function placesOf(text: string): number {
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

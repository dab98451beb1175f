import type { Amount } from "../../../accounting/amount.ts";
import { magnitude } from "../../../core/decimal.ts";
import { compareText } from "../../../core/text.ts";
import { placesOf } from "./amounts.ts";

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
    let own = this.#balances.get(account);
    if (own === undefined) {
      own = new Map();
      this.#balances.set(account, own);
    }
    let balance = own.get(commodity);
    if (balance === undefined) {
      balance = { account, commodity, amount: 0n, places: 0, largest: 0n, postings: 0 };
      own.set(commodity, balance);
    }
    return balance;
  }
}

function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}

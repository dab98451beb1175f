import type { Amount } from "../../accounting/amount.ts";
import { magnitude, placesOf } from "./amounts.ts";

/** One leg of an entry. */
export interface Posting {
  readonly account: string;
  readonly commodity: string;
  readonly amount: Amount;
}

/** What an account holds of one commodity. */
export interface Balance {
  readonly account: string;
  readonly commodity: string;
  readonly amount: Amount;
  /** Digits after the point that the postings had, at most. */
  readonly places: number;
  /** The largest it ever was, without its sign. */
  readonly largest: Amount;
  readonly postings: number;
}

/** Adds up postings. What it holds grows with accounts and commodities. */
export class Balances {
  readonly #balances = new Map<string, Balance>();

  /** Postings of one entry; throws when they are not balanced: no journal is written with such a one. */
  add(postings: readonly Posting[]): void {
    for (const { commodity } of postings) {
      const rest = postings.reduce((sum, one) => (one.commodity === commodity ? sum + one.amount : sum), 0n);
      if (rest !== 0n) {
        throw new RangeError(`an entry in ${commodity} does not balance`);
      }
    }
    for (const posting of postings) {
      const { account, commodity } = posting;
      const key = `${account}\n${commodity}`;
      this.#balances.set(key, grown(this.#balances.get(key) ?? { ...NOTHING, account, commodity }, posting.amount));
    }
  }

  /** By account, then commodity. */
  get all(): readonly Balance[] {
    return [...this.#balances.keys()].sort().flatMap((key) => this.#balances.get(key) ?? []);
  }
}

const NOTHING = { amount: 0n, places: 0, largest: 0n, postings: 0 };

function grown(balance: Balance, added: Amount): Balance {
  const amount = balance.amount + added;
  return {
    ...balance,
    amount,
    places: Math.max(balance.places, placesOf([added])),
    largest: [balance.largest, magnitude(amount), magnitude(added)].reduce((most, one) => (one > most ? one : most)),
    postings: balance.postings + 1,
  };
}

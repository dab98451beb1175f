import { Accounts, type AccountsPlan, type AccountsState } from "../../accounting/accounts.ts";
import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import type { DateBy } from "./date-by.ts";
import { fillsOf, type Source } from "./selection.ts";

export interface BooksPlan {
  readonly source: Source;
  readonly basis: DateBy;
  /** Fills that count before it are not in the accounts, ms UTC or -Infinity. */
  readonly since: number;
  readonly accounts: AccountsPlan;
}

/**
 * Fills that are booked at once: what is made of them is short-lived, so that the garbage collector has
 * little to carry on.
 */
const PIECE_FILLS = 30;

/** The accounts of an archive, led from its beginning. */
export class Books {
  readonly #plan: BooksPlan;
  readonly #accounts: Accounts;
  /** Fills that count before it are booked, ms UTC. */
  #at: number;

  private constructor(plan: BooksPlan) {
    this.#plan = plan;
    this.#accounts = new Accounts(plan.accounts);
    this.#at = plan.since;
  }

  /**
   * The books before the first fill that counts at or after the time, ms UTC. `report` is told what is booked
   * before it.
   */
  static async at(plan: BooksPlan, time: number, report?: (booked: readonly Booked[]) => void): Promise<Books> {
    const books = new Books(plan);
    for await (const booked of books.until(time)) {
      report?.(booked);
    }
    return books;
  }

  /** Books the fills that count before the time, from where the books are on: some at once, in order. */
  async *until(time: number): AsyncGenerator<readonly Booked[]> {
    const { source, basis } = this.#plan;
    for await (const fills of fillsOf(source, { from: this.#at, to: time }, basis)) {
      for (let at = 0; at < fills.length; at += PIECE_FILLS) {
        yield fills.slice(at, at + PIECE_FILLS).map((fill) => this.#accounts.book(fill));
      }
    }
    this.#at = time;
  }

  /** With the declarations up to the time, ms UTC. */
  stateAt(time: number): AccountsState {
    this.#accounts.advance(time);
    return this.#accounts.state;
  }

  /** Of the user's declarations, those that said what the fills before them did not. */
  get taken(): ReadonlySet<DeclaredPosition> {
    return this.#accounts.taken;
  }
}

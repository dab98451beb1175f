import { Accounts, type AccountsPlan, type AccountsState } from "../accounting/accounts.ts";
import type { Booked } from "../accounting/booked.ts";
import { type MarketTies, Ties } from "../accounting/ties.ts";
import type { Fill } from "../model/fill.ts";
import type { Basis } from "./basis.ts";
import { History, type HistoryPlan, monthStarts, type Opening } from "./history.ts";
import { fillsOf, partsIn } from "./selection.ts";

export interface BooksPlan extends HistoryPlan {
  readonly accounts: AccountsPlan;
  /** Whether the accounts at the beginnings of months are kept for later packs. */
  readonly keeps: boolean;
}

/** Fills that are booked at once: what is made of them is short-lived, so that the garbage collector has little to carry on. */
const PIECE_FILLS = 30;

/** The accounts of an archive, led on from the newest kept state. */
export class Books {
  readonly #plan: BooksPlan;
  readonly #history: History;
  readonly #accounts: Accounts;
  #ties: Ties;
  /** Fills that count before it are booked, ms UTC. */
  #at: number;

  private constructor(plan: BooksPlan, history: History, kept: Opening | null) {
    this.#plan = plan;
    this.#history = history;
    this.#accounts = new Accounts(plan.accounts, kept ?? undefined);
    this.#ties = new Ties(plan.accounts, kept?.ties);
    this.#at = kept?.time ?? plan.since;
  }

  /** The books before the first fill that counts at or after the time, ms UTC. */
  static async at(plan: BooksPlan, time: number): Promise<Books> {
    const history = new History(plan);
    const books = new Books(plan, history, await history.newest(time));
    await books.#leadTo(time);
    return books;
  }

  async #leadTo(time: number): Promise<void> {
    for await (const _ of this.until(time)) {
      // Only what it leads to matters.
    }
    this.#ties = new Ties(this.#plan.accounts, this.#ties.state);
  }

  /** Books the fills that count before the time, from where the books are on: some at once, in order. */
  async *until(time: number): AsyncGenerator<readonly Booked[]> {
    for await (const fills of this.#batches(time)) {
      if (typeof fills === "number") {
        this.#accounts.advance(fills);
        await this.#history.keep({ state: this.#accounts.state, ties: this.#ties.state, time: fills });
      } else {
        yield* this.#ties.bookInPieces(this.#accounts, fills, PIECE_FILLS);
      }
    }
    this.#at = time;
  }

  /** With the declarations up to the time, ms UTC. */
  stateAt(time: number): AccountsState {
    this.#accounts.advance(time);
    return this.#accounts.state;
  }

  /** Of the fills booked since `at`. */
  get ties(): readonly MarketTies[] {
    return this.#ties.markets;
  }

  /** Batches of fills, and between them the beginnings of months at which the state is kept. */
  async *#batches(time: number): AsyncGenerator<readonly Fill[] | number> {
    const { calendar, basis, readPart, keeps } = this.#plan;
    const range = { from: this.#at, to: time };
    const parts = await partsIn(calendar, range, basis);
    const [first] = parts;
    const since = first === undefined ? range.from : Math.max(range.from, basis.firstOf(first));
    const starts = keeps && Number.isFinite(since) ? monthStarts(since, time) : [];
    for await (const batch of fillsOf(parts, range, basis, readPart)) {
      yield* cutAt(batch, starts, basis);
    }
    yield* starts;
  }
}

/** Takes from `starts` those that the batch goes beyond. */
function* cutAt(batch: readonly Fill[], starts: number[], { timeOf }: Basis): Generator<readonly Fill[] | number> {
  let rest = batch;
  for (let start = starts[0]; start !== undefined; start = starts[0]) {
    const boundary = start;
    const cut = rest.findIndex((fill) => timeOf(fill) >= boundary);
    if (cut === -1) {
      break;
    }
    if (cut > 0) {
      yield rest.slice(0, cut);
    }
    yield boundary;
    starts.shift();
    rest = rest.slice(cut);
  }
  if (rest.length > 0) {
    yield rest;
  }
}

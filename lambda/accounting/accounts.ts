import { type Fill, identityOf } from "../core/fill.ts";
import { compareText } from "../core/text.ts";
import { rowOf } from "../formats/fill-columns.ts";
import { type Booked, type DeclaredPosition, isBlank } from "./booked.ts";
import { declarationsFor } from "./breaks.ts";
import { type Border, type Carried, carryOf } from "./carried.ts";
import { MarketBook } from "./market-book.ts";
import type { Methods } from "./method.ts";
import type { Designations } from "./methods/specific.ts";
import { tradeOf } from "./trade.ts";

/** What the accounts need besides the fills. */
export interface AccountsPlan {
  /** Whose they are. */
  readonly account: string;
  readonly methods: Methods;
  readonly designations: Designations;
  readonly declared: readonly DeclaredPosition[];
  /**
   * True: the archive reaches back to the account's beginning, so a market without a declared position begins
   * flat.
   */
  readonly fromBeginning: boolean;
  /** Whether a market's PnL is price difference × quantity. */
  readonly isLinear: (market: string) => boolean;
  /** The time at which a fill counts, ms UTC. */
  readonly timeOf: (fill: Fill) => number;
  /** The times between the months of the period, ms UTC. */
  readonly borders: readonly number[];
}

/** Where a market's position comes from: from its fills alone, or from a declaration. */
export type Origin = "assumed_flat" | "declared" | "unknown";

/** Whether lots were matched as designated; if not, because PnL is not known, or because the fill closes nothing. */
export type DesignatedClose = "matched" | "not_known" | "no_close";

function closeOf(booked: Booked): DesignatedClose {
  if (booked.realised !== null) {
    return "matched";
  }
  return booked.trade === null || isBlank(booked) ? "not_known" : "no_close";
}

/** A market at one moment. */
export interface MarketState extends Carried {
  /** Of the last position that was declared because it was not known; else of the first. */
  readonly origin: Origin;
}

/**
 * By market; "" for fills without one. `begun`: before its first fill, and before its first break. Nothing changes a
 * position until then, so it is also that of any earlier time.
 */
export type AccountsState = ReadonlyMap<string, MarketState & { readonly begun: MarketState }>;

interface Account {
  readonly market: string;
  readonly book: MarketBook;
  origin: Origin;
  /** Null: it has no fill and no break so far. */
  begun: MarketState | null;
  /** Its declarations that still lie ahead, by time. */
  readonly coming: DeclaredPosition[];
  /** The first of them, once its break has begun. */
  broken: DeclaredPosition | null;
}

/** Keeps the accounts of all markets, fill by fill in the order of a pack. */
export class Accounts {
  readonly #plan: AccountsPlan;
  readonly #accounts = new Map<string, Account>();
  /** Declarations that were needed: the fills before them did not give the same position. */
  readonly taken = new Set<DeclaredPosition>();
  /** What came of the fills that a designation names as a close, by their identity. */
  readonly designated = new Map<string, DesignatedClose>();
  /** The markets of the service's fills. */
  readonly traded = new Set<string>();
  /** What each market carries just before each of the borders that were passed, and just after it, in turn. */
  readonly crossed: ReadonlyMap<string, Border>[] = [];
  readonly #ahead: number[];

  constructor(plan: AccountsPlan) {
    this.#plan = plan;
    this.#ahead = [...plan.borders];
  }

  /** Books one fill. Throws `usage` if a declaration or a designation of the user contradicts the fills. */
  book(fill: Fill): Booked {
    const time = this.#plan.timeOf(fill);
    this.#cross(time);
    const row = rowOf(this.#plan.account, fill);
    const trade = tradeOf(row, time);
    const account = this.#accountOf(fill.market ?? "", time);
    this.#declareUntil(account, time);
    if (fill.declared === undefined) {
      this.traded.add(account.market);
    }
    account.begun ??= stateOf(account);
    const booked = trade === null ? account.book.lose(row, time) : account.book.book(row, trade);
    if (this.#plan.designations.size > 0 && this.#plan.designations.has(identityOf(fill))) {
      this.designated.set(identityOf(fill), closeOf(booked));
    }
    return booked;
  }

  /** Applies the declarations up to a time, ms UTC, also of markets without a fill so far. */
  advance(time: number): void {
    this.#cross(time);
    this.#declareAll(time);
  }

  /** Before any fill at the time. */
  #cross(time: number): void {
    for (let border = this.#ahead[0]; border !== undefined && border <= time; border = this.#ahead[0]) {
      this.#ahead.shift();
      for (const moment of [border - 1, border]) {
        this.#declareAll(moment);
        this.crossed.push(new Map([...this.state].map(([market, carried]) => [market, carryOf(carried)])));
      }
    }
  }

  #declareAll(time: number): void {
    for (const { market, asOf, breakFrom = asOf } of this.#plan.declared) {
      if (market !== null && breakFrom <= time) {
        this.#accountOf(market, time);
      }
    }
    for (const account of this.#accounts.values()) {
      this.#declareUntil(account, time);
    }
  }

  /** Sorted by market. */
  get state(): AccountsState {
    const accounts = [...this.#accounts].sort(([a], [b]) => compareText(a, b));
    return new Map(
      accounts.map(([market, account]) => {
        const now = stateOf(account);
        return [market, { ...now, begun: account.begun ?? now }];
      }),
    );
  }

  #accountOf(market: string, time: number): Account {
    const known = this.#accounts.get(market);
    if (known !== undefined) {
      return known;
    }
    const { methods, designations, declared, fromBeginning, isLinear } = this.#plan;
    // None if the market's PnL cannot be calculated anyway.
    const coming = isLinear(market) ? declarationsFor(declared, market) : [];
    const [next] = coming;
    const isDeclared = next !== undefined && next.breakFrom === undefined && next.asOf <= time;
    const isFlat = isLinear(market) && !isDeclared && fromBeginning;
    const blank = isLinear(market) ? "opening_unknown" : "unsupported_contract_type";
    const book = new MarketBook(methods, designations, isFlat ? null : blank);
    const origin = isFlat ? "assumed_flat" : "unknown";
    const account: Account = { market, book, origin, begun: null, coming, broken: null };
    this.#accounts.set(market, account);
    return account;
  }

  #declareUntil(account: Account, time: number): void {
    const { market, book, coming } = account;
    for (let next = coming[0]; next !== undefined; next = coming[0]) {
      if (next.breakFrom !== undefined && next.breakFrom <= time && account.broken !== next) {
        account.begun ??= stateOf(account);
        book.breakOff();
        account.broken = next; // its end is still to come
      }
      if (next.asOf > time) {
        return;
      }
      if (book.declare(next, market)) {
        this.taken.add(next);
        account.origin = "declared";
      }
      coming.shift();
    }
  }
}

function stateOf({ book, origin }: Account): MarketState {
  return { ...book.state, origin };
}

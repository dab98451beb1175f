import type { Fill } from "../model/fill.ts";
import type { Booked, DeclaredPosition } from "./booked.ts";
import { FLAT, MarketBook, type MarketState, unknownState } from "./market-book.ts";
import type { Method } from "./method.ts";
import type { Designations } from "./methods/specific.ts";
import { tradeOf } from "./trade.ts";

/** What the accounts rest on beside the fills. */
export interface AccountsPlan {
  readonly methods: readonly [Method, Method];
  readonly designations: Designations;
  readonly declared: readonly DeclaredPosition[];
  /** The archive reaches back to the account's beginning: what no position was declared for is taken to begin flat. */
  readonly fromBeginning: boolean;
  /** Whether PnL of a market is price difference × quantity. */
  readonly isLinear: (market: string) => boolean;
  /** When a fill counts, ms UTC. */
  readonly timeOf: (fill: Fill) => number;
}

/** Why a market's first position is what it is. */
export type Origin = "assumed_flat" | "declared" | "unknown";

export interface MarketEntry {
  readonly state: MarketState;
  readonly origin: Origin;
}

/** By market; "" for fills without one. The same plan goes on from it. */
export type AccountsState = ReadonlyMap<string, MarketEntry>;

interface Account {
  readonly book: MarketBook;
  readonly origin: Origin;
  /** Declarations for it that are still to come, by time. */
  readonly coming: DeclaredPosition[];
}

/** The accounts of all markets, fill by fill in the order of a pack. */
export class Accounts {
  readonly #plan: AccountsPlan;
  readonly #accounts = new Map<string, Account>();

  /** `after`: the state before the first fill to come, and the time up to which declarations are in it, ms UTC. */
  constructor(plan: AccountsPlan, after?: { readonly state: AccountsState; readonly time: number }) {
    this.#plan = plan;
    for (const [market, { state, origin }] of after?.state ?? []) {
      const book = new MarketBook(plan.methods, plan.designations, state);
      const coming = this.#declarationsFor(market).filter(({ asOf }) => asOf > (after?.time ?? 0));
      this.#accounts.set(market, { book, origin, coming });
    }
  }

  /** Books one fill; throws `usage` when a declaration or a designation of the user contradicts the fills. */
  book(fill: Fill): Booked {
    const time = this.#plan.timeOf(fill);
    const { book, coming } = this.#accountOf(fill.market ?? "", time);
    declareUntil(book, coming, time);
    const trade = tradeOf(fill, time);
    return trade === null ? book.lose(fill, time) : book.book(trade);
  }

  /** Takes the declarations up to a time, ms UTC: also those of markets that have no fill yet. */
  advance(time: number): void {
    for (const { market, asOf } of this.#plan.declared) {
      if (market !== null && asOf <= time) {
        this.#accountOf(market, time);
      }
    }
    for (const { book, coming } of this.#accounts.values()) {
      declareUntil(book, coming, time);
    }
  }

  /** What a market holds before a fill of this time, ms UTC; declarations up to then are in it. */
  stateBefore(market: string, time: number): MarketState {
    const { book, coming } = this.#accountOf(market, time);
    declareUntil(book, coming, time);
    return book.state;
  }

  /** Sorted by market. */
  get state(): AccountsState {
    const markets = [...this.#accounts.keys()].sort();
    return new Map(
      markets.flatMap((market) => {
        const account = this.#accounts.get(market);
        return account === undefined ? [] : [[market, { state: account.book.state, origin: account.origin }] as const];
      }),
    );
  }

  #accountOf(market: string, time: number): Account {
    const known = this.#accounts.get(market);
    if (known !== undefined) {
      return known;
    }
    const { methods, designations, fromBeginning, isLinear } = this.#plan;
    const declarations = this.#declarationsFor(market);
    const isDeclared = declarations.some(({ asOf }) => asOf <= time);
    const make = (state: MarketState, origin: Origin, coming: DeclaredPosition[]): Account => {
      const account = { book: new MarketBook(methods, designations, state), origin, coming };
      this.#accounts.set(market, account);
      return account;
    };
    if (!isLinear(market)) {
      return make(unknownState("unsupported_contract_type"), "unknown", declarations);
    }
    if (isDeclared) {
      return make(unknownState("opening_unknown"), "declared", declarations);
    }
    return fromBeginning
      ? make(FLAT, "assumed_flat", declarations)
      : make(unknownState("opening_unknown"), "unknown", declarations);
  }

  /** Those that name the market, or else those for all others; by time. None of a market whose PnL cannot be had anyway. */
  #declarationsFor(market: string): DeclaredPosition[] {
    const { declared, isLinear } = this.#plan;
    if (!isLinear(market)) {
      return [];
    }
    const own = declared.filter((one) => one.market === market);
    const those = own.length > 0 ? own : declared.filter((one) => one.market === null);
    return those.toSorted((a, b) => a.asOf - b.asOf);
  }
}

function declareUntil(book: MarketBook, coming: DeclaredPosition[], time: number): void {
  while (coming[0] !== undefined && coming[0].asOf <= time) {
    book.declare(coming[0]);
    coming.shift();
  }
}

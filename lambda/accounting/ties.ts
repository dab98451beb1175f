import { FillbookError } from "../errors.ts";
import type { Fill } from "../model/fill.ts";
import type { AccountsPlan } from "./accounts.ts";
import type { Amount } from "./amount.ts";
import type { Booked } from "./booked.ts";
import { FLAT, MarketBook, type MarketState } from "./market-book.ts";
import type { Method } from "./method.ts";
import type { Result, Statement } from "./statement.ts";
import { canOrderMatter, goOnAlike, type Instant, instantsOf } from "./tie-order.ts";
import { tradeOf } from "./trade.ts";

/** What is needed of the accounts. */
export interface Ledger {
  book(fill: Fill): Booked;
  /** What a market holds before a fill of this time, ms UTC; declarations up to then are in it. */
  stateBefore(market: string, time: number): MarketState;
  /** Whether a break began between the market's newest fill and a fill of this time, ms UTC. */
  isBrokenBefore(market: string, time: number): boolean;
}

export type TiesPlan = Pick<AccountsPlan, "methods" | "designations" | "timeOf">;

/** By market: the accounts as they would be with their ties in reverse order, where that still makes a difference. */
export type TiesState = ReadonlyMap<string, MarketState>;

/** The ties of one market. */
export interface MarketTies {
  readonly market: string;
  /** Fills that share their time with another. */
  readonly ties: number;
  /** By method: what is realised with all ties in reverse order, less what is realised in the order of the file. */
  readonly differences: readonly [Result, Result];
  /** False: in reverse order the user's matches.csv names lots that are not open. What it would change from there on is not known. */
  readonly reversible: boolean;
}

/** A figure of the period that rests on the order of fills that share a time. */
export interface TieEffect {
  readonly market: string;
  readonly method: Method;
  readonly figure: keyof Result;
  /** With ties in the order of the file, and in reverse. */
  readonly inOrder: Amount;
  readonly reversed: Amount;
}

const FIGURES = ["gross", "fees"] as const;
/** 10^-9. Shares are rounded at the 18th place; a difference below this says nothing of the order. */
const LEAST_EFFECT: Amount = 10n ** 27n;
/** A shadow is compared with the accounts after so many fills, or as many as it has lots: so that copying them costs little for each fill. */
const LEAST_PATIENCE = 256;

interface Watched {
  ties: number;
  reversible: boolean;
  readonly differences: readonly [Record<keyof Result, Amount>, Record<keyof Result, Amount>];
  /** Null: the order of ties so far makes no difference to what is open. */
  shadow: MarketBook | null;
  patience: number;
  /** The newest fills, all of this time: the shadow does not have them yet. */
  time: number;
  newest: Booked[];
  /** What was held before them, where a shadow may have to begin there. */
  before: MarketState | null;
  /** After them; undefined: no fill was seen yet, or none since a break. */
  position: bigint | null | undefined;
}

/**
 * Books fills, and finds out where the order of fills that share a time matters: it has no source (accounting.md, section 3). Beside the accounts of a
 * market runs a shadow that books each tie in reverse order, from the first one whose order can matter until both are flat or alike.
 */
export class Ties {
  readonly #plan: TiesPlan;
  readonly #watched = new Map<string, Watched>();

  /** `after`: the state before the first fill to come. Counts and differences begin here. */
  constructor(plan: TiesPlan, after: TiesState = new Map()) {
    this.#plan = plan;
    for (const [market, state] of after) {
      this.#watchedOf(market).shadow = new MarketBook(plan.methods, plan.designations, state);
    }
  }

  /** Books a batch into the accounts, in order. A time may go on in the next batch. */
  book(ledger: Ledger, batch: readonly Fill[]): Booked[] {
    return [...this.bookInPieces(ledger, batch, batch.length)].flat();
  }

  /** The same, as it is asked for, in pieces of about so many fills: what is made of them can be short-lived. */
  *bookInPieces(ledger: Ledger, batch: readonly Fill[], size: number): Generator<Booked[]> {
    let piece: Booked[] = [];
    for (const instant of instantsOf(batch, this.#plan.timeOf)) {
      this.#expectAll(ledger, instant);
      for (const fill of instant.fills) {
        const booked = ledger.book(fill);
        const watched = this.#watchedOf(marketOf(fill));
        watched.newest.push(booked);
        watched.position = booked.after;
        piece.push(booked);
      }
      if (piece.length >= size) {
        yield piece;
        piece = [];
      }
    }
    if (piece.length > 0) {
      yield piece;
    }
  }

  /** Where the time moves on: no fill to come may share the time of one that was booked. */
  get state(): TiesState {
    return new Map(
      this.#settled().flatMap(([market, { shadow }]) => (shadow === null ? [] : [[market, shadow.state] as const])),
    );
  }

  /** Sorted. Where the time moves on, as with `state`. */
  get markets(): readonly MarketTies[] {
    return this.#settled().map(([market, { ties, differences, reversible }]) => ({
      market,
      ties,
      differences,
      reversible,
    }));
  }

  #settled(): [string, Watched][] {
    for (const watched of this.#watched.values()) {
      this.#settle(watched);
    }
    return [...this.#watched].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #expectAll(ledger: Ledger, instant: Instant): void {
    const [first, second] = instant.fills;
    if (first !== undefined && second === undefined) {
      this.#expect(ledger, marketOf(first), instant);
      return;
    }
    for (const [market, fills] of Map.groupBy(instant.fills, marketOf)) {
      this.#expect(ledger, market, { ...instant, fills });
    }
  }

  /** Before the fills of one market and time are booked. */
  #expect(ledger: Ledger, market: string, instant: Instant): void {
    const watched = this.#watchedOf(market);
    if (watched.newest.length > 0 && watched.time === instant.time) {
      return;
    }
    this.#settle(watched);
    watched.time = instant.time;
    watched.before = null;
    if (ledger.isBrokenBefore(market, instant.time)) {
      // What ties did before the break ends with it.
      watched.shadow = null;
      watched.position = undefined;
    }
    if (watched.shadow !== null && watched.patience <= 0) {
      this.#compare(watched, watched.shadow, ledger.stateBefore(market, instant.time));
    }
    if (watched.shadow === null && this.#mayNeedShadow(watched, instant)) {
      watched.before = ledger.stateBefore(market, instant.time);
    }
  }

  #mayNeedShadow({ position }: Watched, { time, fills, mayGoOn }: Instant): boolean {
    if (mayGoOn || fills.length < 2 || typeof position !== "bigint") {
      return mayGoOn || fills.length > 1;
    }
    const trades = fills.flatMap((fill) => tradeOf(fill, time) ?? []);
    return position !== 0n && canOrderMatter(trades, position, this.#plan.methods);
  }

  /** Brings the shadow to where the accounts are. */
  #settle(watched: Watched): void {
    const { newest } = watched;
    if (newest.length === 0) {
      return;
    }
    watched.newest = [];
    watched.ties += newest.length > 1 ? newest.length : 0;
    if (newest.some(({ blank, before }) => blank !== null || before === null)) {
      watched.shadow = null;
      return;
    }
    watched.shadow ??= newest.length === 1 ? null : this.#fork(watched, newest);
    if (watched.shadow !== null) {
      follow(watched, watched.shadow, newest);
    }
  }

  #fork(watched: Watched, booked: readonly Booked[]): MarketBook | null {
    const { methods, designations } = this.#plan;
    const position = booked[0]?.before ?? 0n;
    const state = position === 0n ? FLAT : watched.before;
    const trades = booked.flatMap(({ trade }) => trade ?? []);
    if (state?.position !== position || state.blank !== null || !canOrderMatter(trades, position, methods)) {
      return null;
    }
    watched.patience = patienceFor(state);
    return new MarketBook(methods, designations, state);
  }

  #compare(watched: Watched, shadow: MarketBook, main: MarketState): void {
    const { state } = shadow;
    watched.patience = patienceFor(state);
    if (goOnAlike(main, state, this.#plan.methods)) {
      watched.shadow = null;
    }
  }

  #watchedOf(market: string): Watched {
    let watched = this.#watched.get(market);
    if (watched === undefined) {
      watched = unwatched();
      this.#watched.set(market, watched);
    }
    return watched;
  }
}

/** The figures of a period that the order of its ties changes: by market, method and figure. */
export function tieEffects(markets: readonly MarketTies[], { cells, methods }: Statement): TieEffect[] {
  const results = Map.groupBy(cells, (cell) => cell.market);
  return markets.flatMap(({ market, differences }) =>
    ([0, 1] as const).flatMap((at) =>
      FIGURES.flatMap((figure) => {
        const difference = differences[at][figure];
        if (-LEAST_EFFECT < difference && difference < LEAST_EFFECT) {
          return [];
        }
        const inOrder = (results.get(market) ?? []).reduce((sum, cell) => sum + cell.results[at][figure], 0n);
        return [{ market, method: methods[at], figure, inOrder, reversed: inOrder + difference }];
      }),
    ),
  );
}

function follow(watched: Watched, shadow: MarketBook, booked: readonly Booked[]): void {
  try {
    const reversed = booked.toReversed().flatMap(({ trade }) => (trade === null ? [] : [shadow.book(trade)]));
    for (const { realised } of reversed) {
      add(watched.differences, realised, 1n);
    }
    for (const { realised } of booked) {
      add(watched.differences, realised, -1n);
    }
  } catch (error) {
    if (!(error instanceof FillbookError)) {
      throw error;
    }
    watched.reversible = false;
    watched.shadow = null;
    return;
  }
  watched.patience -= booked.length;
  if (shadow.position === 0n) {
    watched.shadow = null;
  }
}

function add(differences: Watched["differences"], realised: Booked["realised"], sign: 1n | -1n): void {
  if (realised === null) {
    return;
  }
  for (const method of [0, 1] as const) {
    for (const figure of FIGURES) {
      differences[method][figure] += sign * realised[method][figure];
    }
  }
}

function patienceFor({ lots }: MarketState): number {
  return Math.max(LEAST_PATIENCE, lots[1].length);
}

function marketOf({ market }: Fill): string {
  return market ?? "";
}

function unwatched(): Watched {
  return {
    ties: 0,
    reversible: true,
    differences: [
      { gross: 0n, fees: 0n },
      { gross: 0n, fees: 0n },
    ],
    shadow: null,
    patience: LEAST_PATIENCE,
    time: Number.NaN,
    newest: [],
    before: null,
    position: undefined,
  };
}

import { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { Accounts, type AccountsPlan } from "./accounts.ts";
import { sumOf } from "./aggregate.ts";
import type { Amount } from "./amount.ts";
import type { Booked } from "./booked.ts";
import { type ByMethod, byMethod, METHOD_ROLES, type Method } from "./method.ts";
import type { Result, Statement } from "./statement.ts";

/** The ties of one market: fills with the same time. */
export interface MarketTies {
  readonly market: string;
  /** The number of fills that share their time with another. */
  readonly ties: number;
  /** Realised with all ties in reverse order, minus realised in the order of the file. */
  readonly differences: ByMethod<Result>;
  /**
   * False: in reverse order, the user's matches.csv names lots that are not open. The further effect is not
   * known.
   */
  readonly reversible: boolean;
}

/** A figure of the period that depends on the order of fills with the same time. */
export interface TieEffect {
  readonly market: string;
  readonly method: Method;
  readonly figure: keyof Result;
  /** With ties in the order of the file, and in reverse. */
  readonly inOrder: Amount;
  readonly reversed: Amount;
}

const FIGURES = ["gross", "fees"] as const;
/** 10^-9. Shares are rounded at the 18th place, so a smaller difference does not come from the order. */
const LEAST_EFFECT: Amount = 10n ** 27n;

interface Compared {
  ties: number;
  reversible: boolean;
  readonly differences: ByMethod<Record<keyof Result, Amount>>;
}

/**
 * Books fills into the accounts, and into second accounts in which fills of one market and time come in
 * reverse. Nothing gives their true order.
 */
export class Ties {
  readonly #timeOf: AccountsPlan["timeOf"];
  readonly #accounts: Accounts;
  readonly #reversed: Accounts;
  readonly #markets = new Map<string, Compared>();

  /** `accounts`: of the same plan, without a fill. */
  constructor(plan: AccountsPlan, accounts: Accounts) {
    this.#timeOf = plan.timeOf;
    this.#accounts = accounts;
    this.#reversed = new Accounts(plan);
  }

  /** Starts counts and differences with the next fill. Both accounts continue. */
  begin(): void {
    this.#markets.clear();
  }

  /**
   * Books fills in order, including all that share a time, and yields them in pieces of about `size`, so that
   * what is made of them can be short-lived.
   */
  *book(batch: readonly Fill[], size: number): Generator<Booked[]> {
    let piece: Booked[] = [];
    for (const fills of instantsOf(batch, this.#timeOf)) {
      const booked = fills.map((fill) => this.#accounts.book(fill));
      for (const [market, own] of byMarket(booked)) {
        this.#compare(market, own);
      }
      piece.push(...booked);
      if (piece.length >= size) {
        yield piece;
        piece = [];
      }
    }
    if (piece.length > 0) {
      yield piece;
    }
  }

  /** Sorted. */
  get markets(): readonly MarketTies[] {
    return [...this.#markets]
      .map(([market, compared]) => ({ market, ...compared }))
      .sort((a, b) => (a.market < b.market ? -1 : 1));
  }

  /** `booked`: all fills of the market and of one time. */
  #compare(market: string, booked: readonly Booked[]): void {
    const compared = getOrMake(this.#markets, market, nothingCompared);
    compared.ties += booked.length > 1 ? booked.length : 0;
    // In another order, another fill could be the first or last with unknown PnL. Such a time keeps its order
    // and is not compared.
    const isKnown = booked.every(({ blank }) => blank === null);
    try {
      const reversed = (isKnown ? booked.toReversed() : booked).map((one) => this.#reversed.bookRead(one));
      if (isKnown) {
        addDifferences(compared.differences, reversed, booked);
      }
    } catch (error) {
      if (!(error instanceof FillbookError)) {
        throw error;
      }
      compared.reversible = false;
      this.#reversed.takeOver(market, this.#accounts);
    }
  }
}

/** The figures of a period that the order of ties changes: by market, method and figure. */
export function tieEffects(markets: readonly MarketTies[], { marketMonths, methods }: Statement): TieEffect[] {
  const results = Map.groupBy(marketMonths, (one) => one.market);
  return markets.flatMap(({ market, differences }) =>
    METHOD_ROLES.flatMap((role) =>
      FIGURES.flatMap((figure) => {
        const difference = differences[role][figure];
        if (-LEAST_EFFECT < difference && difference < LEAST_EFFECT) {
          return [];
        }
        const inOrder = sumOf(results.get(market) ?? [])[figure][role];
        return [{ market, method: methods[role], figure, inOrder, reversed: inOrder + difference }];
      }),
    ),
  );
}

function nothingCompared(): Compared {
  return { ties: 0, reversible: true, differences: byMethod(() => ({ gross: 0n, fees: 0n })) };
}

/** Cuts a batch where the time changes. */
function* instantsOf(batch: readonly Fill[], timeOf: (fill: Fill) => number): Generator<Fill[]> {
  let instant: Fill[] = [];
  let time = Number.NaN;
  for (const fill of batch) {
    const own = timeOf(fill);
    if (own !== time && instant.length > 0) {
      yield instant;
      instant = [];
    }
    time = own;
    instant.push(fill);
  }
  if (instant.length > 0) {
    yield instant;
  }
}

/** Nearly every instant has only one fill. */
function byMarket(booked: readonly Booked[]): Iterable<[market: string, own: readonly Booked[]]> {
  const [first] = booked;
  return first !== undefined && booked.length === 1
    ? [[first.fill.market ?? "", booked]]
    : Map.groupBy(booked, ({ fill }) => fill.market ?? "");
}

function addDifferences(
  differences: Compared["differences"],
  reversed: readonly Booked[],
  booked: readonly Booked[],
): void {
  for (const [at, { realised }] of booked.entries()) {
    const other = reversed[at]?.realised ?? null;
    for (const role of realised === null && other === null ? [] : METHOD_ROLES) {
      addDifference(differences[role], other?.[role] ?? NO_RESULT, realised?.[role] ?? NO_RESULT);
    }
  }
}

const NO_RESULT: Result = { gross: 0n, fees: 0n };

function addDifference(sum: Record<keyof Result, Amount>, reversed: Result, inOrder: Result): void {
  for (const figure of FIGURES) {
    if (reversed[figure] !== inOrder[figure]) {
      sum[figure] += reversed[figure] - inOrder[figure];
    }
  }
}

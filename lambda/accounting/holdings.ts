import { type Amount, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import type { AccountsState, MarketState, Origin } from "./accounts.ts";
import type { Opener } from "./booked.ts";
import { type Border, type Carried, carryOf, openValueIn } from "./carried.ts";
import type { Cube } from "./cube/cube.ts";

/** An account's market with fills or funding in the period, or with a position at its beginning or end. */
export interface Holding {
  readonly account: string;
  /** "" for fills without one. */
  readonly market: string;
  readonly currency: string;
  /** Of the position at the start of the period. */
  readonly origin: Origin;
  /** From the specification. Null: not given, or there is no specification. */
  readonly contractType: string | null;
  readonly before: Carried;
  readonly after: Carried;
  /** The user's last price in the period's last day. Null: none was given. */
  readonly mark: Pick<Opener, "price" | "time"> | null;
  /** What it carries at the start and at the end of each month of the period, in turn. */
  readonly borders: readonly Border[];
}

/** What an account's holdings are made from. */
export interface Held {
  readonly account: string;
  readonly contractTypes: ReadonlyMap<string, string | null>;
  /** The accounts at the two ends of the period. */
  readonly before: AccountsState;
  readonly after: AccountsState;
  /** See accounts.ts. */
  readonly crossed: readonly ReadonlyMap<string, Border>[];
  /** Null: the user gave no file. */
  readonly marks: ReadonlyMap<string, Holding["mark"]> | null;
}

/** By market. `cube`: its days have all ended. */
export function holdingsOf(cube: Cube, held: Held): Holding[] {
  const { account, before, after, crossed, contractTypes, marks } = held;
  const active = new Set(cube.cells.filter((cell) => cell.account === account).map(({ market }) => market ?? ""));
  return [...new Set([...active, ...after.keys()])].sort().flatMap((market) => {
    const { begun, ...end } = after.get(market) ?? { ...NO_FILLS, begun: NO_FILLS };
    const start = before.get(market) ?? begun;
    if (!active.has(market) && start.position?.isZero() === true && end.position?.isZero() === true) {
      return [];
    }
    const origin = start.position === null ? "unknown" : start.origin;
    const within = crossed.map((carried) => carried.get(market) ?? carryOf(begun));
    const currency = quoteCurrencyOf(market) ?? "";
    const contractType = contractTypes.get(market) ?? null;
    const mark = marks?.get(market) ?? null;
    const borders = [carryOf(start), ...within, carryOf(end)];
    return [{ account, market, currency, origin, contractType, before: start, after: end, mark, borders }];
  });
}

const NO_FILLS: MarketState = { position: ZERO, blank: null, lots: [], origin: "assumed_flat" };

/** The markets with a position at the end of the period, or with an unknown one. */
export function openIn(holdings: readonly Holding[]): Holding[] {
  return holdings.filter(({ after }) => after.blank !== null || after.position?.isZero() !== true);
}

/** At the user's price, before fees and funding. Null: nothing is open, its cost is not known, or there is no price. */
export function unrealisedIn({ after, mark }: Holding): Amount | null {
  const { position, blank } = after;
  const isKnown = mark !== null && blank === null && position !== null && !position.isZero();
  return isKnown ? position.times(mark.price).minus(openValueIn(after)) : null;
}

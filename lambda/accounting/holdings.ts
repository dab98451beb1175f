import { type Amount, totalOf, withSign, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import type { AccountsState, Origin } from "./accounts.ts";
import type { Opener } from "./booked.ts";
import type { Cube } from "./cube/cube.ts";
import type { Carried } from "./market-book.ts";

/** An account's market with fills or funding in the period, or with a position at its beginning or end. */
export interface Holding {
  readonly account: string;
  /** "" for fills without one. */
  readonly market: string;
  readonly currency: string;
  readonly origin: Origin;
  /** From the specification. Null: not given, or there is no specification. */
  readonly contractType: string | null;
  readonly before: Carried;
  readonly after: Carried;
  /** The user's last price in the period's last day. Null: none was given. */
  readonly mark: Pick<Opener, "price" | "time"> | null;
}

/** What an account's holdings are made from. */
export interface Held {
  readonly account: string;
  readonly contractTypes: ReadonlyMap<string, string | null>;
  /** The accounts at the two ends of the period. */
  readonly before: AccountsState;
  readonly after: AccountsState;
  /** Null: the user gave no file. */
  readonly marks: ReadonlyMap<string, Holding["mark"]> | null;
}

/** By market. `cube`: its days have all ended. */
export function holdingsOf(cube: Cube, { account, before, after, contractTypes, marks }: Held): Holding[] {
  const active = new Set(cube.cells.filter((cell) => cell.account === account).map(({ market }) => market ?? ""));
  return [...new Set([...active, ...after.keys()])].sort().flatMap((market) => {
    const end = after.get(market) ?? NOTHING_CARRIED;
    const first = cube.firstOf(account, market);
    const start = before.get(market) ?? carriedUnseen(first === undefined ? end.position : first, end);
    if (!active.has(market) && start.position?.isZero() === true && end.position?.isZero() === true) {
      return [];
    }
    const { first: begun = "unknown", origin: last } = after.get(market) ?? {};
    const origins = [before.get(market)?.origin ?? "unknown", begun, last];
    const origin = origins.find((one) => one !== "unknown") ?? "unknown";
    const currency = quoteCurrencyOf(market) ?? "";
    const contractType = contractTypes.get(market) ?? null;
    const mark = marks?.get(market) ?? null;
    return [{ account, market, currency, origin, contractType, before: start, after: end, mark }];
  });
}

const NOTHING_CARRIED: Carried = { position: ZERO, blank: null, lots: [] };

/**
 * What a market carried into the period if its first fill came in the period: flat if it was flat before that
 * fill, else not known.
 */
function carriedUnseen(first: Amount | null, end: Carried): Carried {
  if (first?.isZero() === true) {
    return NOTHING_CARRIED;
  }
  const blank = end.blank === "unsupported_contract_type" ? end.blank : "opening_unknown";
  return { position: null, blank, lots: [] };
}

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

/** The opening value of what is open: positive for a long position, negative for a short one. */
export function openValueIn({ lots }: Carried): Amount {
  return totalOf(lots, ({ sign, value }) => withSign(sign, value));
}

/** Opening fees of what is open. */
export function deferredIn({ lots }: Carried): Amount {
  return totalOf(lots, ({ fee }) => fee);
}

import type { Origin } from "../../accounting/accounts.ts";
import type { UnknownReason } from "../../accounting/booked.ts";
import { scopesOf } from "../../accounting/cube/scopes.ts";
import type { Holding } from "../../accounting/holdings.ts";
import type { Posted } from "../../accounting/posted.ts";
import type { Fill } from "../../core/fill.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import type { Closing, ExceptionRow } from "../make/maker.ts";

interface Watched {
  /** Fills that cannot be calculated with. From each of them on, the position was not known. */
  readonly lostAt: Fill[];
  isLost: boolean;
}

/** An account's market. */
type Named = Pick<Holding, "account" | "market">;

/**
 * The rows of exceptions.csv about whole markets. Its size grows with markets and declared positions, not
 * with fills.
 */
export class MarketExceptions {
  readonly #watched = new Map<string, Watched>();

  add({ account, fill, trade, blank }: Posted): void {
    const key = keyOf({ account, market: fill.market ?? "" });
    const watched = getOrMake(this.#watched, key, () => ({ lostAt: [], isLost: false }));
    const isLost = blank === "market_incomplete";
    if (isLost && !watched.isLost && trade === null) {
      watched.lostAt.push(fill);
    }
    watched.isLost = isLost;
  }

  rows({ sums }: Closing): ExceptionRow[] {
    return scopesOf(sums, ["account", "market"]).flatMap(({ cell: { fills, untyped, blanks, ties }, holdings }) =>
      holdings.flatMap((holding) => [
        ...(fills + untyped > 0 || !isFlat(holding) ? [...contractRows(holding), ...openingRows(holding)] : []),
        ...lostRows(holding, this.#watched.get(keyOf(holding))?.lostAt ?? []),
        ...blankRows(holding, blanks),
        ...tieRows(holding, ties),
      ]),
    );
  }
}

function keyOf({ account, market }: Named): string {
  return JSON.stringify([account, market]);
}

/** A market that is listed only for its funding has no assumptions. */
export function isFlat({ before, after }: Holding): boolean {
  return [before, after].every(({ position }) => position?.isZero() === true);
}

function contractRows(holding: Holding): ExceptionRow[] {
  const { contractType: value, after } = holding;
  if (after.blank === "unsupported_contract_type") {
    const reason =
      "unsupported_contract_type: PnL is calculated for linear contracts only; the fills of this market are listed, its PnL is empty, and its fees and notional are in no total";
    return [aboutMarket(holding, reason, { value })];
  }
  const reason = "contract_type_assumed: the venue does not state the contract type; treated as a linear contract";
  return value === null ? [aboutMarket(holding, reason)] : [];
}

const UNTIL = "PnL is not known until a position is declared";
const UNKNOWN = "the position at the start of the period is not known";

/** A contract that is not linear has a row of its own. */
const OPENINGS: Readonly<Partial<Record<Origin | UnknownReason, string>>> = {
  assumed_flat:
    "opening_assumed_flat: the position before the account's first fill in this market is assumed to be nil; fills alone cannot prove it",
  declared:
    "opening_declared: the position at the start of the period comes from the user's opening-positions.csv; value: that position",
  opening_unknown: `opening_unknown: ${UNKNOWN}: the records do not start with the account, and no position was declared before`,
  break_declared: `break_declared: ${UNKNOWN}: fills before it are missing`,
  market_incomplete: `market_incomplete: a fill before the period cannot be read as a trade; ${UNTIL}`,
};

/** Where the position at the start of the period comes from, or why it is not known. */
function openingRows(holding: Holding): ExceptionRow[] {
  const { origin, before } = holding;
  const reason = OPENINGS[origin === "unknown" ? (before.blank ?? origin) : origin];
  const value = origin === "declared" ? String(before.position) : null;
  return reason === undefined ? [] : [aboutMarket(holding, reason, { value })];
}

function lostRows(holding: Holding, lostAt: readonly Fill[]): ExceptionRow[] {
  const reason = `market_incomplete: this fill cannot be read as a trade; after it, ${UNTIL}`;
  return lostAt.map(({ matchId, orderId, txCreated }) => aboutMarket(holding, reason, { matchId, orderId, txCreated }));
}

function blankRows(holding: Holding, blanks: ReadonlyMap<string, number>): ExceptionRow[] {
  const why =
    "PnL is not known for fills that closed, or may have closed, a position; value: the number of these fills";
  return [...blanks].map(([blank, count]) =>
    aboutMarket(holding, `${blank}: ${why}`, { column: "closes_with_unknown_pnl", value: String(count) }),
  );
}

function tieRows(holding: Holding, ties: number): ExceptionRow[] {
  const reason =
    "ties: fills share their time with a fill of the other side, and the venue does not give their order; value: the number of these fills";
  return ties === 0 ? [] : [aboutMarket(holding, reason, { value: String(ties) })];
}

export function aboutMarket(
  { account, market }: Named,
  reason: string,
  more: Partial<ExceptionRow> = {},
): ExceptionRow {
  return { account, matchId: null, orderId: null, txCreated: null, market, column: null, reason, value: null, ...more };
}

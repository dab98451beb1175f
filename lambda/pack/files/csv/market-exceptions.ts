import type { Booked } from "../../../accounting/booked.ts";
import { LIQUIDITIES, type MarketStatement, type Statement } from "../../../accounting/statement.ts";
import type { Fill } from "../../../core/fill.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { isoTime } from "../../../core/time.ts";
import type { Closing, ExceptionRow } from "../../build/maker.ts";

interface Watched {
  /** Fills that cannot be calculated with. From each of them on, the position was not known. */
  readonly lostAt: Fill[];
  isLost: boolean;
}

/**
 * The rows of exceptions.csv about whole markets. Its size grows with markets and declared positions, not
 * with fills.
 */
export class MarketExceptions {
  readonly #watched = new Map<string, Watched>();

  add({ fill, trade, blank }: Booked): void {
    const watched = getOrMake(this.#watched, fill.market ?? "", () => ({ lostAt: [], isLost: false }));
    const isLost = blank === "market_incomplete";
    if (isLost && !watched.isLost && trade === null) {
      watched.lostAt.push(fill);
    }
    watched.isLost = isLost;
  }

  rows({ statement }: Closing): ExceptionRow[] {
    return statement.markets.flatMap((market) => [
      ...(hasAccount(market, statement) ? [...contractRows(market), ...openingRows(market)] : []),
      ...lostRows(market, this.#watched.get(market.market)?.lostAt ?? []),
      ...blankRows(market),
      ...tieRows(market),
    ]);
  }
}

/** A market that is listed only for its funding has no assumptions. */
function hasAccount({ market, before, after }: MarketStatement, { marketMonths }: Statement): boolean {
  const isFlat = [before, after].every(({ position }) => position?.isZero() === true);
  return !isFlat || marketMonths.some((one) => one.market === market && hasFills(one));
}

function hasFills({ activity, untyped }: Statement["marketMonths"][number]): boolean {
  return untyped > 0 || LIQUIDITIES.some((liquidity) => activity[liquidity].fills > 0);
}

function contractRows({ market, contractType, after }: MarketStatement): ExceptionRow[] {
  if (after.blank === "unsupported_contract_type") {
    const reason =
      "unsupported_contract_type: PnL is calculated for linear contracts only; the fills of this market are listed, and its PnL is empty";
    return [{ ...aboutMarket(market, reason), value: contractType }];
  }
  const reason = "contract_type_assumed: the venue does not state the contract type; treated as a linear contract";
  return contractType === null ? [aboutMarket(market, reason)] : [];
}

const OPENINGS = {
  assumed_flat: "opening_assumed_flat: the opening position is assumed to be nil; fills alone cannot prove it",
  declared:
    "opening_declared: the opening position is declared in the user's opening-positions.csv; value: the position at the start of the period",
  unknown: "opening_unknown: the records do not start with the account, and no opening position was declared",
};

function openingRows({ market, origin, before, after }: MarketStatement): ExceptionRow[] {
  if (after.blank === "unsupported_contract_type") {
    return [];
  }
  const isKnown = origin === "declared" && before.position !== null;
  const value = isKnown ? String(before.position) : null;
  return [{ ...aboutMarket(market, OPENINGS[origin]), value }];
}

function lostRows({ market, before }: MarketStatement, lostAt: readonly Fill[]): ExceptionRow[] {
  const until = "PnL is not known until a position is declared";
  const already = aboutMarket(
    market,
    `market_incomplete: a fill before the period cannot be read as a trade; ${until}`,
  );
  const rows = lostAt.map(({ matchId, orderId, txCreated }) => ({
    ...aboutMarket(market, `market_incomplete: this fill cannot be read as a trade; after it, ${until}`),
    matchId,
    orderId,
    txCreated: isoTime(txCreated),
  }));
  return before.blank === "market_incomplete" ? [already, ...rows] : rows;
}

function blankRows({ market, blanks }: MarketStatement): ExceptionRow[] {
  return [...blanks].map(([blank, count]) => ({
    ...aboutMarket(
      market,
      `${blank}: PnL is not known for fills that closed, or may have closed, a position; value: the number of these fills`,
    ),
    column: "closes_with_unknown_pnl",
    value: String(count),
  }));
}

function tieRows({ market, ties }: MarketStatement): ExceptionRow[] {
  const reason =
    "ties: fills share their time with a fill of the other side, and the venue does not give their order; value: the number of these fills";
  return ties === 0 ? [] : [{ ...aboutMarket(market, reason), value: String(ties) }];
}

export function aboutMarket(market: string, reason: string): ExceptionRow {
  return { matchId: null, orderId: null, txCreated: null, market, column: null, reason, value: null };
}

import { type Amount, ZERO } from "../core/amount.ts";
import { FIELD_NAMES, type Fill } from "../core/fill.ts";
import type { FillRow } from "../formats/fill-columns.ts";
import type { Trade } from "./trade.ts";

/** Why a market's PnL is blank: for good, or until its position is known to be flat. */
export type UnknownReason =
  /** The archive does not reach back to the account's beginning, and no opening position was declared. */
  | "opening_unknown"
  /** An opening position was declared without a price. */
  | "quantity_known_cost_unknown"
  /** The user declared that fills are missing here: see breaks.ts. */
  | "break_declared"
  /** A fill that cannot be classified came before, so the open position is not known. */
  | "market_incomplete"
  /** Not a linear contract, or not known to be one. */
  | "unsupported_contract_type";

/** What opened a lot: a fill, or a position that the user declared (without ids). */
export interface Opener {
  readonly matchId: string | null;
  readonly orderId: string | null;
  /** ms UTC */
  readonly time: number;
  readonly price: Amount;
}

/** What closes gave. */
export interface Result {
  /** Realised PnL before fees. */
  readonly gross: Amount;
  /** Fees recognised with closes: closing fees, and the opening fees of what was closed. */
  readonly fees: Amount;
  /** gross − fees */
  readonly net: Amount;
}

/** One match of a closing quantity: against one lot, or against the pool. */
export interface Match extends Result {
  readonly quantity: Amount;
  /** The opening value: quantity × price. */
  readonly openValue: Amount;
  /** Its share of the opening fees. */
  readonly openFee: Amount;
  /** What opened the lot; for a pool, its first opener. */
  readonly opener: Opener;
  /** True: the user's file names it, against the order of the method. */
  readonly designated: boolean;
  /** The closing value: quantity × closing price. */
  readonly closeValue: Amount;
  /** Its share of the closing fee. */
  readonly closeFee: Amount;
}

/** The result of a closing quantity. */
export interface Realised extends Result {
  readonly matches: readonly Match[];
  /** The same under the method for comparison. */
  readonly compared: Result;
}

/** A position from flat to flat. It is the same under every method. */
export interface RoundTrip extends Result {
  readonly market: string;
  readonly currency: string;
  readonly side: "long" | "short";
  readonly openedAt: number;
  readonly closedAt: number;
  /** The number of fills that belong to it, and how many of them are trades that the user declared. */
  readonly fills: number;
  readonly declared: number;
  /** The largest position. */
  readonly most: Amount;
  /** The total quantity opened. */
  readonly quantity: Amount;
  readonly openValue: Amount;
  readonly closeValue: Amount;
  readonly first: Pick<Fill, "matchId" | "orderId">;
  readonly last: Pick<Fill, "matchId" | "orderId">;
}

/** A fill and its effect on the accounts. */
export interface Booked extends FillRow {
  /** The time at which it counts, ms UTC. */
  readonly time: number;
  /** Null: the fill cannot be classified and is in no account. */
  readonly trade: Trade | null;
  /** The market's signed position before and after. Null: not known. */
  readonly before: Amount | null;
  readonly after: Amount | null;
  /** The closing and opening parts of the quantity. Both are 0 while the position is not known. */
  readonly closed: Amount;
  readonly opened: Amount;
  /** The closing and opening parts of the fee. They add up to it. */
  readonly closeFee: Amount;
  readonly openFee: Amount;
  /** The result of the closing part. Null: nothing was closed, or PnL is blank. */
  readonly realised: Realised | null;
  /** Why PnL is blank. Null: it is not blank. */
  readonly blank: UnknownReason | null;
  /** The round trip that this fill ended. */
  readonly trip: RoundTrip | null;
}

/** A payment of the user's funding.csv. Positive: received. */
export interface Funding {
  /** ms UTC */
  readonly time: number;
  readonly market: string;
  readonly amount: Amount;
  readonly currency: string;
}

/** A position that the user declares in opening-positions.csv. */
export interface DeclaredPosition {
  /** Null: every market that the file does not name. */
  readonly market: string | null;
  /** Signed. */
  readonly quantity: Amount;
  /** Null: not known. */
  readonly price: Amount | null;
  /** ms UTC. The position holds before the first fill at or after this time. */
  readonly asOf: number;
  /**
   * ms UTC, at most `asOf`: fills of the market are missing from then on. The market starts anew at `asOf`.
   * Absent: no fills are missing.
   */
  readonly breakFrom?: number;
  /** The file and line, for messages: `opening-positions.csv, line 2`. */
  readonly where: string;
}

/**
 * True if the fill closes something, or may have closed something, and its result is not known. No row then says
 * what it gained.
 */
export function isBlank({ fill: { market, side, extra }, trade, realised, closed, before }: Booked): boolean {
  // Without a market or a time that can be read, its place among the fills is not known.
  const isPlaced = trade !== null || (market !== null && !Object.hasOwn(extra ?? {}, FIELD_NAMES.filledAt));
  if (before === null || !isPlaced) {
    return true;
  }
  // What is on the side of the position, or finds none, opens.
  const opens = before.isZero() || side === (before.gt(ZERO) ? "buy" : "sell");
  return trade === null ? !opens : realised === null && closed.gt(ZERO);
}

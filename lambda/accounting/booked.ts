import type { Fill } from "../core/fill.ts";
import type { Amount } from "./amount.ts";
import type { Taken } from "./cost-book.ts";
import type { ByMethod } from "./method.ts";
import type { Trade } from "./trade.ts";

/** Why a market's PnL is blank, for good or until its position is known to be flat. */
export type UnknownReason =
  /** The archive does not reach back to the account's beginning, and no opening position was declared. */
  | "opening_unknown"
  /** A declared opening position without its price. */
  | "quantity_known_cost_unknown"
  /** The user declares that fills are missing here: see breaks.ts. */
  | "break_declared"
  /** A fill that cannot be typed was there: what is open since is not known. */
  | "market_incomplete"
  /** Not a linear contract, or not known to be one. */
  | "unsupported_contract_type";

/** One match of a closing part: against one lot, or against the pool. */
export interface Match extends Taken {
  /** What it was closed for: quantity × the closing price. */
  readonly closeValue: Amount;
  /** Of a long: closeValue − openValue; of a short the negative. */
  readonly gross: Amount;
  /** The part of the closing fee that goes with it. */
  readonly closeFee: Amount;
}

/** What one method makes of a closing part. */
export interface Realised {
  readonly matches: readonly Match[];
  readonly gross: Amount;
  /** Closing fees, and the opening fees carried by what was closed. */
  readonly fees: Amount;
}

/** From flat to flat: the same under every method. */
export interface RoundTrip {
  readonly market: string;
  readonly currency: string;
  readonly side: "long" | "short";
  readonly openedAt: number;
  readonly closedAt: number;
  /** Fills with a part in it. */
  readonly fills: number;
  /** Largest position, × 10^18. */
  readonly most: bigint;
  /** Sum of what was opened, × 10^18. */
  readonly quantity: bigint;
  readonly openValue: Amount;
  readonly closeValue: Amount;
  readonly gross: Amount;
  readonly fees: Amount;
  readonly first: Pick<Fill, "matchId" | "orderId">;
  readonly last: Pick<Fill, "matchId" | "orderId">;
}

/** A fill, and what the accounts make of it. */
export interface Booked {
  readonly fill: Fill;
  /** When it counts, ms UTC. */
  readonly time: number;
  /** Null for a fill that cannot be typed: it is in no account. */
  readonly trade: Trade | null;
  /** The market's signed position before and after, × 10^18; null while it is not known. */
  readonly before: bigint | null;
  readonly after: bigint | null;
  /** Parts of the fill's quantity; both 0 while the position is not known. */
  readonly closed: bigint;
  readonly opened: bigint;
  /** Parts of the fee: they add up to it. */
  readonly closeFee: Amount;
  readonly openFee: Amount;
  /** Of the closing part; null when nothing was closed, or the PnL is blank. */
  readonly realised: ByMethod<Realised> | null;
  /** Why PnL is blank; null: it is not. */
  readonly blank: UnknownReason | null;
  /** The round trip that this fill ended. */
  readonly trip: RoundTrip | null;
}

/** A position that the user declares in opening-positions.csv. */
export interface DeclaredPosition {
  /** Null: every market that the file does not name. */
  readonly market: string | null;
  /** Signed, × 10^18. */
  readonly quantity: bigint;
  /** × 10^18; null: not known. */
  readonly price: bigint | null;
  /** ms UTC: it holds before the first fill at or after this time. */
  readonly asOf: number;
  /** ms UTC, `asOf` at the latest: since when fills of the market are missing. The market starts anew at `asOf`. Absent: none are missing. */
  readonly breakFrom?: number;
  /** Where it stands, for messages: `opening-positions.csv, line 2`. */
  readonly where: string;
}

/** A fill whose closing part, as far as it is known to have one, has no known result: no row says what it gained. */
export function isBlank({ trade, realised, closed, after }: Booked): boolean {
  return trade !== null && realised === null && (closed > 0n || after === null);
}

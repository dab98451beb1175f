import type { Booked } from "../../../accounting/booked.ts";
import { ZERO } from "../../../core/amount.ts";
import type { CloseRow } from "../../build/formatted-amounts.ts";
import type { PackContext } from "../../build/maker.ts";
import { type CsvColumn, REQUIRED, text, timeText } from "./columns.ts";

export type { CloseRow } from "../../build/formatted-amounts.ts";

export function closeRowsOf(batch: readonly Booked[], { textsOf }: PackContext): readonly CloseRow[] {
  return textsOf(batch).flatMap(({ closes }) => closes);
}

/** The closed quantity. It is also known for a position without a known cost. "": nothing is closed. */
export function quantityOf({ match, own }: CloseRow): string {
  return match?.quantity ?? (own.booked.closed.gt(ZERO) ? own.closed : "");
}

/** The side of the position that is closed. */
export function closedSideOf({ trade }: CloseRow): "long" | "short" {
  return trade.sign === 1 ? "short" : "long";
}

// Columns that every table of closes shares.

type CloseColumn = CsvColumn<CloseRow>;

export const MARKET: CloseColumn = text(
  "market",
  "Market name, <BASE>-<QUOTE>.",
  ({ trade }) => trade.market,
  REQUIRED,
);

export const SIDE: CloseColumn = text("side", "Side of the position that is closed: long or short.", (row) =>
  quantityOf(row) === "" ? null : closedSideOf(row),
);

export const OPENED_AT: CloseColumn = timeText(
  "opened_at",
  "Time at which the lot was opened, UTC. For a pool: time of its first fill. For a declared position: its as_of.",
  ({ match }) => match?.openedAt,
);

/** The ids of the fills that opened and closed it. */
export const FILL_IDS: readonly CloseColumn[] = [
  text(
    "open_match_id",
    "match_id of the fill that opened the lot (for a pool: of its first fill). Empty for a declared position.",
    ({ match }) => match?.match.opener.matchId,
  ),
  text("open_order_id", "order_id of that fill.", ({ match }) => match?.match.opener.orderId),
  text("close_match_id", "match_id of the closing fill.", ({ own }) => own.booked.fill.matchId, REQUIRED),
  text("close_order_id", "order_id of the closing fill.", ({ own }) => own.booked.fill.orderId, REQUIRED),
];

/** `unknown`: what is not known if the status is not `known`. */
export function statusColumn(unknown: "PnL" | "the gain"): CloseColumn {
  return text(
    "status",
    `known, or the reason why ${unknown} could not be calculated: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type. In that case amounts are empty, never 0.`,
    ({ match, own }) => (match === null ? (own.booked.blank ?? "market_incomplete") : "known"),
    REQUIRED,
  );
}

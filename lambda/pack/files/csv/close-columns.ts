import type { BookedColumn } from "./booked-table.ts";
import { type CloseRow, quantityOf, sideOf } from "./close-rows.ts";

// What every table of closes says alike.

type CloseColumn = BookedColumn<CloseRow>;

export const MARKET: CloseColumn = {
  name: "market",
  kind: "text",
  required: true,
  description: "Market name, <BASE>-<QUOTE>.",
  cell: ({ trade }) => trade.market,
};

export const SIDE: CloseColumn = {
  name: "side",
  kind: "text",
  description: "long or short: the position that is closed.",
  cell: (row) => (quantityOf(row) === "" ? null : sideOf(row.trade)),
};

export const OPENED_AT: CloseColumn = {
  name: "opened_at",
  kind: "time",
  description: "When the lot was opened, UTC; of a pool its first fill; of a declared position its date.",
  cell: ({ match }) => match?.openedAt ?? null,
};

/** Of the fills that opened and closed it. */
export const FILL_IDS: readonly CloseColumn[] = [
  {
    name: "open_match_id",
    kind: "text",
    description: "The fill that opened the lot; of a pool its first. Empty for a declared position.",
    cell: ({ match }) => match?.match.opener.matchId ?? null,
  },
  {
    name: "open_order_id",
    kind: "text",
    description: "Its order.",
    cell: ({ match }) => match?.match.opener.orderId ?? null,
  },
  {
    name: "close_match_id",
    kind: "text",
    required: true,
    description: "The closing fill.",
    cell: ({ own }) => own.booked.fill.matchId,
  },
  {
    name: "close_order_id",
    kind: "text",
    required: true,
    description: "Its order.",
    cell: ({ own }) => own.booked.fill.orderId,
  },
];

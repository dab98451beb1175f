import type { RoundTrip } from "../../../accounting/booked.ts";
import { isoTime } from "../../../core/time.ts";
import type { Column, FileMaker, PackContext } from "../../build/maker.ts";
import type { CsvRow } from "./cells.ts";
import { amountCell, rowOf, unitsCell } from "./cells.ts";
import { CsvMaker } from "./csv-maker.ts";

const COLUMNS = [
  { name: "opened_at", kind: "time", required: true, description: "When its first fill counts, UTC." },
  { name: "closed_at", kind: "time", required: true, description: "When its last fill counts, UTC." },
  { name: "account", kind: "text", required: true, description: "The label of the account in fillbook." },
  { name: "market", kind: "text", required: true, description: "Market name, <BASE>-<QUOTE>." },
  {
    name: "currency",
    kind: "text",
    required: true,
    description: "What it is settled in, and every amount of the row.",
  },
  { name: "side", kind: "text", required: true, description: "long or short." },
  {
    name: "fills",
    kind: "integer",
    required: true,
    description: "Fills with a part in it. A fill that turns a position round has a part in two trades.",
  },
  { name: "largest_position", kind: "decimal", required: true, description: "The largest position on the way." },
  {
    name: "quantity",
    kind: "decimal",
    required: true,
    description: "All that was opened, and so all that was closed.",
  },
  { name: "open_value", kind: "decimal", required: true, description: "What it was opened for." },
  { name: "close_value", kind: "decimal", required: true, description: "What it was closed for." },
  {
    name: "gross_pnl",
    kind: "decimal",
    required: true,
    description:
      "Of a long close_value − open_value, of a short open_value − close_value. The same under every method.",
  },
  { name: "fees", kind: "decimal", required: true, description: "Fees of its parts of fills; a rebate is negative." },
  { name: "net_excl_funding", kind: "decimal", required: true, description: "gross_pnl − fees. Funding is not in it." },
  { name: "first_match_id", kind: "text", required: true, description: "Its first fill." },
  { name: "first_order_id", kind: "text", required: true, description: "The order of its first fill." },
  { name: "last_match_id", kind: "text", required: true, description: "Its last fill." },
  { name: "last_order_id", kind: "text", required: true, description: "The order of its last fill." },
] as const satisfies readonly Column[];

/** closed-trades.csv: positions from flat to flat that ended in the period. */
export function closedTradesMaker({ account }: PackContext): FileMaker {
  return new CsvMaker({
    path: "closed-trades.csv",
    description:
      "Closed trades, excl. funding: positions from flat to flat that ended in the period, whenever they began; so they do not add up to the realised PnL of the period. A position whose beginning is not known is not among them.",
    columns: COLUMNS,
    keys: ["last_match_id", "last_order_id"],
    rowsOf: ({ trip }) => (trip === null ? [] : [rowOfTrip(trip, account)]),
  });
}

function rowOfTrip(trip: RoundTrip, account: string): CsvRow {
  return rowOf(COLUMNS, {
    opened_at: isoTime(trip.openedAt),
    closed_at: isoTime(trip.closedAt),
    account,
    market: trip.market,
    currency: trip.currency,
    side: trip.side,
    fills: String(trip.fills),
    largest_position: unitsCell(trip.most),
    quantity: unitsCell(trip.quantity),
    open_value: amountCell(trip.openValue),
    close_value: amountCell(trip.closeValue),
    gross_pnl: amountCell(trip.gross),
    fees: amountCell(trip.fees),
    net_excl_funding: amountCell(trip.gross - trip.fees),
    first_match_id: trip.first.matchId,
    first_order_id: trip.first.orderId,
    last_match_id: trip.last.matchId,
    last_order_id: trip.last.orderId,
  });
}

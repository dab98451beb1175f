import type { RoundTrip } from "../../../accounting/booked.ts";
import { isoTime } from "../../../core/time.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amountCell, unitsCell } from "./cells.ts";
import { type CsvColumn, decimal, integer, required, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf(account: string): CsvColumn<RoundTrip>[] {
  return [
    required(time("opened_at", "When its first fill counts, UTC.", (trip) => isoTime(trip.openedAt))),
    required(time("closed_at", "When its last fill counts, UTC.", (trip) => isoTime(trip.closedAt))),
    required(text("account", "The label of the account in fillbook.", () => account)),
    required(text("market", "Market name, <BASE>-<QUOTE>.", (trip) => trip.market)),
    required(text("currency", "What it is settled in, and every amount of the row.", (trip) => trip.currency)),
    required(text("side", "long or short.", (trip) => trip.side)),
    required(
      integer(
        "fills",
        "Fills with a part in it. A fill that turns a position round has a part in two trades.",
        (trip) => String(trip.fills),
      ),
    ),
    required(decimal("largest_position", "The largest position on the way.", (trip) => unitsCell(trip.most))),
    required(
      decimal("quantity", "All that was opened, and so all that was closed.", (trip) => unitsCell(trip.quantity)),
    ),
    required(decimal("open_value", "What it was opened for.", (trip) => amountCell(trip.openValue))),
    required(decimal("close_value", "What it was closed for.", (trip) => amountCell(trip.closeValue))),
    required(
      decimal(
        "gross_pnl",
        "Of a long close_value − open_value, of a short open_value − close_value. The same under every method.",
        (trip) => amountCell(trip.gross),
      ),
    ),
    required(decimal("fees", "Fees of its parts of fills; a rebate is negative.", (trip) => amountCell(trip.fees))),
    required(
      decimal("net_excl_funding", "gross_pnl − fees. Funding is not in it.", (trip) =>
        amountCell(trip.gross - trip.fees),
      ),
    ),
    required(text("first_match_id", "Its first fill.", (trip) => trip.first.matchId)),
    required(text("first_order_id", "The order of its first fill.", (trip) => trip.first.orderId)),
    required(text("last_match_id", "Its last fill.", (trip) => trip.last.matchId)),
    required(text("last_order_id", "The order of its last fill.", (trip) => trip.last.orderId)),
  ];
}

/** closed-trades.csv: positions from flat to flat that ended in the period. */
export function closedTradesMaker({ account }: PackContext): FileMaker {
  return new CsvMaker<RoundTrip>({
    path: "closed-trades.csv",
    description:
      "Closed trades, excl. funding: positions from flat to flat that ended in the period, whenever they began; so they do not add up to the realised PnL of the period. A position whose beginning is not known is not among them.",
    columns: columnsOf(account),
    keys: ["last_match_id", "last_order_id"],
    rowsOf: (batch) => batch.flatMap(({ trip }) => trip ?? []),
  });
}

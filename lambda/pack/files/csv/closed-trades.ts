import type { RoundTrip } from "../../../accounting/booked.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, integer, REQUIRED, text, time, units } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf(account: string): CsvColumn<RoundTrip>[] {
  return [
    time("opened_at", "When its first fill counts, UTC.", (trip) => trip.openedAt, REQUIRED),
    time("closed_at", "When its last fill counts, UTC.", (trip) => trip.closedAt, REQUIRED),
    text("account", "The label of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", (trip) => trip.market, REQUIRED),
    text("currency", "What it is settled in, and every amount of the row.", (trip) => trip.currency, REQUIRED),
    text("side", "long or short.", (trip) => trip.side, REQUIRED),
    integer(
      "fills",
      "Fills with a part in it. A fill that turns a position round has a part in two trades.",
      (trip) => trip.fills,
      REQUIRED,
    ),
    units("largest_position", "The largest position on the way.", (trip) => trip.most, REQUIRED),
    units("quantity", "All that was opened, and so all that was closed.", (trip) => trip.quantity, REQUIRED),
    amount("open_value", "What it was opened for.", (trip) => trip.openValue, REQUIRED),
    amount("close_value", "What it was closed for.", (trip) => trip.closeValue, REQUIRED),
    amount(
      "gross_pnl",
      "Of a long close_value − open_value, of a short open_value − close_value. The same under every method.",
      (trip) => trip.gross,
      REQUIRED,
    ),
    amount("fees", "Fees of its parts of fills; a rebate is negative.", (trip) => trip.fees, REQUIRED),
    amount("net_excl_funding", "gross_pnl − fees. Funding is not in it.", (trip) => trip.gross - trip.fees, REQUIRED),
    text("first_match_id", "Its first fill.", (trip) => trip.first.matchId, REQUIRED),
    text("first_order_id", "The order of its first fill.", (trip) => trip.first.orderId, REQUIRED),
    text("last_match_id", "Its last fill.", (trip) => trip.last.matchId, REQUIRED),
    text("last_order_id", "The order of its last fill.", (trip) => trip.last.orderId, REQUIRED),
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

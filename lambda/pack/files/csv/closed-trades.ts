import type { RoundTrip } from "../../../accounting/booked.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { amount, type CsvColumn, date, decimal, integer, REQUIRED, text, time, units } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf(account: string, converter: Converter | null): CsvColumn<RoundTrip>[] {
  return [
    time("opened_at", "When its first fill counts, UTC.", (trip) => trip.openedAt, REQUIRED),
    time("closed_at", "When its last fill counts, UTC.", (trip) => trip.closedAt, REQUIRED),
    text("account", "The label of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", (trip) => trip.market, REQUIRED),
    text(
      "currency",
      "What it is settled in, and every amount of the row but the converted ones.",
      (trip) => trip.currency,
      REQUIRED,
    ),
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
    amount(
      "fees",
      "Fees of the parts of fills that belong to it; a rebate is negative.",
      (trip) => trip.fees,
      REQUIRED,
    ),
    amount("net_excl_funding", "gross_pnl − fees. Funding is not in it.", (trip) => trip.gross - trip.fees, REQUIRED),
    ...(converter === null ? [] : convertedColumns(converter)),
    text("first_match_id", "Its first fill.", (trip) => trip.first.matchId, REQUIRED),
    text("first_order_id", "The order of its first fill.", (trip) => trip.first.orderId, REQUIRED),
    text("last_match_id", "Its last fill.", (trip) => trip.last.matchId, REQUIRED),
    text("last_order_id", "The order of its last fill.", (trip) => trip.last.orderId, REQUIRED),
  ];
}

/** All amounts of a trade at the rate of the day on which it closed. */
function convertedColumns(converter: Converter): CsvColumn<RoundTrip>[] {
  // Six columns use it.
  const convertedOf = memoizeLast(({ gross, fees, currency, closedAt }: RoundTrip) => {
    const { amount: convertedFees } = converter.convert(fees, currency, closedAt);
    return { ...converter.convert(gross, currency, closedAt), fees: convertedFees };
  });
  return [
    text("report_currency", "What the amounts that follow are converted to.", () => converter.to, REQUIRED),
    decimal(
      "rate",
      "How much of it 1 unit of the row's currency is, on the day of closed_at.",
      (trip) => convertedOf(trip).rate,
      REQUIRED,
    ),
    date("rate_date", "The date of the rate; empty for a declared par.", (trip) => convertedOf(trip).rateDate),
    text(
      "rate_source",
      "File and series of the rate, or the declared par.",
      (trip) => convertedOf(trip).source,
      REQUIRED,
    ),
    amount(
      "gross_pnl_converted",
      "gross_pnl at the rate, rounded half even.",
      (trip) => convertedOf(trip).amount,
      REQUIRED,
    ),
    amount("fees_converted", "fees at the same rate, rounded half even.", (trip) => convertedOf(trip).fees, REQUIRED),
    amount(
      "net_converted",
      "gross_pnl_converted − fees_converted. Funding is not in it.",
      (trip) => convertedOf(trip).amount - convertedOf(trip).fees,
      REQUIRED,
    ),
  ];
}

/**
 * closed-trades.csv: positions from flat to flat that ended in the period. `converter`: null if nothing is
 * converted.
 */
export function closedTradesMaker({ account }: PackContext, converter: Converter | null): FileMaker {
  return new CsvMaker<RoundTrip>({
    path: "closed-trades.csv",
    description:
      "Closed trades, excl. funding: a closed trade runs from a flat position back to flat, and is here if it ended in the period, whenever it began; so the rows do not add up to the realised PnL of the period. A trade whose beginning is not known is not among them.",
    columns: columnsOf(account, converter),
    keys: ["last_match_id", "last_order_id"],
    rowsOf: (batch) => batch.flatMap(({ trip }) => trip ?? []),
  });
}

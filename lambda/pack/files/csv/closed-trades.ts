import type { RoundTrip } from "../../../accounting/booked.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { amount, type CsvColumn, date, decimal, integer, REQUIRED, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf(account: string, converter: Converter | null): CsvColumn<RoundTrip>[] {
  return [
    time(
      "opened_at",
      "Time of the trade's first fill, UTC (filled_at or tx_created, by the cut-off of the pack).",
      (trip) => trip.openedAt,
      REQUIRED,
    ),
    time("closed_at", "Time of the trade's last fill, UTC, by the same cut-off.", (trip) => trip.closedAt, REQUIRED),
    text("account", "Name of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", (trip) => trip.market, REQUIRED),
    text(
      "currency",
      "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
      (trip) => trip.currency,
      REQUIRED,
    ),
    text("side", "Side of the position: long or short.", (trip) => trip.side, REQUIRED),
    integer(
      "fills",
      "Number of fills in the trade. A fill that turns a long position short, or the reverse, belongs to two trades.",
      (trip) => trip.fills,
      REQUIRED,
    ),
    amount("largest_position", "Largest position held during the trade.", (trip) => trip.most, REQUIRED),
    amount(
      "quantity",
      "Total quantity opened, which equals the total quantity closed.",
      (trip) => trip.quantity,
      REQUIRED,
    ),
    amount(
      "open_value",
      "Value at which the position was opened: quantity × price of the opening fills.",
      (trip) => trip.openValue,
      REQUIRED,
    ),
    amount(
      "close_value",
      "Value at which the position was closed: quantity × price of the closing fills.",
      (trip) => trip.closeValue,
      REQUIRED,
    ),
    amount(
      "gross_pnl",
      "Long: close_value − open_value. Short: open_value − close_value. The same under every method.",
      (trip) => trip.gross,
      REQUIRED,
    ),
    amount(
      "fees",
      "Fees of the fills, or parts of fills, that belong to the trade. A rebate is negative.",
      (trip) => trip.fees,
      REQUIRED,
    ),
    amount("net_excl_funding", "gross_pnl − fees. Excludes funding.", (trip) => trip.gross.minus(trip.fees), REQUIRED),
    ...(converter === null ? [] : convertedColumns(converter)),
    text("first_match_id", "match_id of the first fill.", (trip) => trip.first.matchId, REQUIRED),
    text("first_order_id", "order_id of the first fill.", (trip) => trip.first.orderId, REQUIRED),
    text("last_match_id", "match_id of the last fill.", (trip) => trip.last.matchId, REQUIRED),
    text("last_order_id", "order_id of the last fill.", (trip) => trip.last.orderId, REQUIRED),
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
    text(
      "report_currency",
      "Currency of the converted amounts in the columns that follow.",
      () => converter.to,
      REQUIRED,
    ),
    decimal(
      "rate",
      "Units of report_currency for 1 unit of currency, on the day of closed_at.",
      (trip) => convertedOf(trip).rate,
      REQUIRED,
    ),
    date("rate_date", "Date of the rate. Empty for a declared par.", (trip) => convertedOf(trip).rateDate),
    text(
      "rate_source",
      "File and series of the rate, or the declared par.",
      (trip) => convertedOf(trip).source,
      REQUIRED,
    ),
    amount(
      "gross_pnl_converted",
      "gross_pnl converted at the rate, rounded half even.",
      (trip) => convertedOf(trip).amount,
      REQUIRED,
    ),
    amount(
      "fees_converted",
      "fees converted at the same rate, rounded half even.",
      (trip) => convertedOf(trip).fees,
      REQUIRED,
    ),
    amount(
      "net_converted",
      "gross_pnl_converted − fees_converted. Excludes funding.",
      (trip) => convertedOf(trip).amount.minus(convertedOf(trip).fees),
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
      "Closed trades, excluding funding. A closed trade runs from a flat position back to flat. The file lists every trade that ended in the period, whenever it began, so the rows do not add up to the realised PnL of the period. Trades whose beginning is not known are not listed.",
    columns: columnsOf(account, converter),
    keys: ["last_match_id", "last_order_id"],
    rowsOf: (batch) => batch.flatMap(({ trip }) => trip ?? []),
  });
}

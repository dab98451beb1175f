import type { Booked } from "../../../accounting/booked.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import { convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { type CloseRow, closeRowsOf, FILL_IDS, MARKET, OPENED_AT, quantityOf, SIDE, statusColumn } from "./closes.ts";
import { amount, type CsvColumn, date, decimal, REQUIRED, text, timeText, yes } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf({ account, methods }: PackContext, converter: Converter | null): CsvColumn<CloseRow>[] {
  return [
    timeText(
      "closed_at",
      "Time of the closing fill, UTC: filled_at, or tx_created if the venue gave no filled_at or if the pack's cut-off is based on the transaction.",
      ({ own }) => own.time,
      REQUIRED,
    ),
    text("account", "Name of the account in fillbook.", () => account, REQUIRED),
    MARKET,
    text(
      "currency",
      "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
      ({ trade }) => trade.currency,
      REQUIRED,
    ),
    text(
      "method",
      "Method by which the cost of the closed quantity is calculated.",
      () => METHOD_NAMES[methods.primary],
      REQUIRED,
    ),
    SIDE,
    decimal("quantity", "Quantity closed from this lot or pool, in the base currency of the market.", quantityOf),
    decimal(
      "open_price",
      "Opening price of the lot. Under average cost: open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ match }) => match?.openPrice,
    ),
    decimal("close_price", "Price of the closing fill.", (row) => (quantityOf(row) === "" ? null : row.own.price)),
    decimal("open_value", "Cost at which the closed quantity was opened.", ({ match }) => match?.openValue),
    decimal("close_value", "quantity × close_price.", ({ match }) => match?.closeValue),
    decimal(
      "gross_pnl",
      "Long: close_value − open_value. Short: open_value − close_value. Before fees and funding.",
      ({ match }) => match?.gross,
    ),
    decimal("open_fee", "Share of the opening fees for the closed quantity.", ({ match }) => match?.openFee),
    decimal("close_fee", "Share of the closing fill's fee for the closed quantity.", ({ match }) => match?.closeFee),
    decimal(
      "realised_pnl_net_of_fees_excl_funding",
      "gross_pnl − open_fee − close_fee. Excludes funding.",
      ({ match }) => match?.net,
    ),
    OPENED_AT,
    ...FILL_IDS,
    yes(
      "designated",
      "yes: the user's matches.csv assigns this lot to this close, which departs from the order of the method.",
      ({ match }) => match?.match.designated,
    ),
    statusColumn("PnL"),
    ...(converter === null ? [] : convertedColumns(converter)),
  ];
}

function convertedColumns(converter: Converter): CsvColumn<CloseRow>[] {
  // Seven columns use it.
  const convertedOf = memoizeLast(({ match, trade, own }: CloseRow) =>
    match === null ? null : convertMatch(converter, match.match, trade.currency, own.booked.time),
  );
  return [
    text("report_currency", "Currency of the converted amounts in the columns that follow.", (row) =>
      convertedOf(row) === null ? null : converter.to,
    ),
    decimal(
      "rate",
      "Units of report_currency for 1 unit of currency, on the day of the close.",
      (row) => convertedOf(row)?.rate,
    ),
    date("rate_date", "Date of the rate. Empty for a declared par.", (row) => convertedOf(row)?.rateDate),
    text("rate_source", "File and series of the rate, or the declared par.", (row) => convertedOf(row)?.source),
    amount(
      "gross_pnl_converted",
      "gross_pnl converted at the rate, rounded half even.",
      (row) => convertedOf(row)?.gross,
    ),
    amount(
      "fees_converted",
      "open_fee + close_fee, converted at the same rate, rounded half even.",
      (row) => convertedOf(row)?.fees,
    ),
    amount("net_converted", "gross_pnl_converted − fees_converted. Excludes funding.", (row) => convertedOf(row)?.net),
  ];
}

/** The sum of the rows of one currency. */
export interface RealisedTotals {
  gross: Amount;
  fees: Amount;
}

export interface RealisedPnlMaker extends FileMaker {
  /** By currency, of the rows so far. */
  readonly totals: ReadonlyMap<string, Readonly<RealisedTotals>>;
}

/** realised-pnl.csv: the matches of the chosen method. */
export function realisedPnlMaker(context: PackContext, converter: Converter | null): RealisedPnlMaker {
  const totals = new Map<string, RealisedTotals>();
  const maker = new CsvMaker<CloseRow>({
    path: "realised-pnl.csv",
    description:
      "Realised PnL, excluding funding: one row for each lot that a closing fill was matched with by the chosen method; under average cost, one row for each closing fill. If its PnL is not known, the row has no amounts. Do not add amounts of different currencies.",
    columns: columnsOf(context, converter),
    rowsOf(batch) {
      for (const booked of batch) {
        addTo(totals, booked);
      }
      return closeRowsOf(batch, context);
    },
  });
  return Object.assign(maker, { totals });
}

function addTo(totals: Map<string, RealisedTotals>, { trade, realised }: Booked): void {
  if (trade === null || realised === null) {
    return;
  }
  const total = getOrMake(totals, trade.currency, () => ({ gross: ZERO, fees: ZERO }));
  for (const { gross, openFee, closeFee } of realised.matches) {
    total.gross = total.gross.plus(gross);
    total.fees = total.fees.plus(openFee).plus(closeFee);
  }
}

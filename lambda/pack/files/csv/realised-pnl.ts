import type { Amount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { averageRole, METHOD_NAMES, type MethodRole } from "../../../accounting/method.ts";
import { convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
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
      "When the closing fill counts, UTC: its trade time, or its transaction's where the pack goes by that.",
      ({ own }) => own.time,
      REQUIRED,
    ),
    text("account", "The label of the account in fillbook.", () => account, REQUIRED),
    MARKET,
    text(
      "currency",
      "What the market is settled in, and every amount of the row but the converted ones.",
      ({ trade }) => trade.currency,
      REQUIRED,
    ),
    text("method", "How the cost of what is closed is calculated.", () => METHOD_NAMES[methods.primary], REQUIRED),
    SIDE,
    decimal("quantity", "What is closed of this lot or pool, in the base of the market.", quantityOf),
    decimal(
      "open_price",
      "Of the lot. Under average cost open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ match }) => match?.openPrice,
    ),
    decimal("close_price", "Of the closing fill.", (row) => (quantityOf(row) === "" ? null : row.own.price)),
    decimal("open_value", "What the quantity was opened for.", ({ match }) => match?.openValue),
    decimal("close_value", "quantity × close_price.", ({ match }) => match?.closeValue),
    decimal(
      "gross_pnl",
      "Of a long close_value − open_value, of a short open_value − close_value: before fees and funding.",
      ({ match }) => match?.gross,
    ),
    decimal("open_fee", "The part of the opening fees that goes with the quantity.", ({ match }) => match?.openFee),
    decimal("close_fee", "The part of the closing fill's fee that goes with it.", ({ match }) => match?.closeFee),
    decimal(
      "realised_pnl_net_of_fees_excl_funding",
      "gross_pnl − open_fee − close_fee. Funding is not in it.",
      ({ match }) => match?.net,
    ),
    decimal(
      "average_gross_pnl",
      "gross_pnl of the fill's whole closing part under average cost, on its first row only: the column adds up to what average cost realises.",
      ({ match, own }) => (match !== null && match === own.matches[0] ? own.averageGross : null),
    ),
    OPENED_AT,
    ...FILL_IDS,
    yes(
      "designated",
      "yes: the user's matches.csv names this lot for this close, against the order of the method.",
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
    text("report_currency", "What the amounts that follow are converted to.", (row) =>
      convertedOf(row) === null ? null : converter.to,
    ),
    decimal("rate", "How much of it 1 unit of the row's currency is.", (row) => convertedOf(row)?.rate),
    date("rate_date", "The date of the rate; empty for a declared par.", (row) => convertedOf(row)?.rateDate),
    text("rate_source", "File and series of the rate, or the declared par.", (row) => convertedOf(row)?.source),
    amount("gross_pnl_converted", "gross_pnl at the rate, rounded half even.", (row) => convertedOf(row)?.gross),
    amount(
      "fees_converted",
      "open_fee + close_fee at the same rate, rounded half even.",
      (row) => convertedOf(row)?.fees,
    ),
    amount(
      "net_converted",
      "gross_pnl_converted − fees_converted. Funding is not in it.",
      (row) => convertedOf(row)?.net,
    ),
  ];
}

/** The sum of the rows of one currency. */
export interface RealisedTotals {
  gross: Amount;
  fees: Amount;
  /** The sum of average_gross_pnl. */
  averageGross: Amount;
}

export interface RealisedPnlMaker extends FileMaker {
  /** By currency, of the rows so far. */
  readonly totals: ReadonlyMap<string, Readonly<RealisedTotals>>;
}

/** realised-pnl.csv: the matches of the chosen method, and the average cost result of the same closes. */
export function realisedPnlMaker(context: PackContext, converter: Converter | null): RealisedPnlMaker {
  const totals = new Map<string, RealisedTotals>();
  const average = averageRole(context.methods);
  const maker = new CsvMaker<CloseRow>({
    path: "realised-pnl.csv",
    description:
      "Realised PnL, excl. funding: a row for each lot that a close was matched with under the chosen method; under average cost one for each close. A close whose PnL is not known has a row without amounts. Amounts of different currencies do not add up.",
    columns: columnsOf(context, converter),
    rowsOf(batch) {
      for (const booked of batch) {
        addTo(totals, booked, average);
      }
      return closeRowsOf(batch, context);
    },
  });
  return Object.assign(maker, { totals });
}

function addTo(totals: Map<string, RealisedTotals>, { trade, realised }: Booked, average: MethodRole): void {
  if (trade === null || realised === null) {
    return;
  }
  const total = getOrMake(totals, trade.currency, () => ({ gross: 0n, fees: 0n, averageGross: 0n }));
  for (const { gross, openFee, closeFee } of realised.primary.matches) {
    total.gross += gross;
    total.fees += openFee + closeFee;
  }
  total.averageGross += realised[average].gross;
}

import { type ConvertedMatch, convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { Amount } from "../../../core/amount.ts";
import { localDays } from "../../../core/local-day.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import {
  type CloseRow,
  closedSideOf,
  closeRowsOf,
  FILL_IDS,
  MARKET,
  OPENED_AT,
  quantityOf,
  SIDE,
  statusColumn,
} from "./closes.ts";
import { amount, type CsvColumn, date, decimal, REQUIRED, text, timeText } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** Stands for the date if the position was opened on several days or on an unknown day. */
export const VARIOUS = "VARIOUS";

/**
 * A match as a sale and a purchase, fees included. A long position is bought first, a short one sold first.
 */
interface Disposal {
  /** The sale value minus the fee of the sale. */
  readonly proceeds: Amount;
  /** The purchase value plus the fee of the purchase. */
  readonly cost: Amount;
}

/** Null: the PnL of the close is not known. */
export function disposalOf({ match, trade }: CloseRow): Disposal | null {
  if (match === null) {
    return null;
  }
  const { openValue, openFee, closeValue, closeFee } = match.match;
  const isShort = trade.sign === 1;
  return isShort
    ? { proceeds: openValue.minus(openFee), cost: closeValue.plus(closeFee) }
    : { proceeds: closeValue.minus(closeFee), cost: openValue.plus(openFee) };
}

/** `0.5 BTC-USD perpetual, long` */
export function propertyOf(row: CloseRow): string {
  const { market } = row.trade;
  const quantity = quantityOf(row);
  return quantity === "" ? `${market} perpetual` : `${quantity} ${market} perpetual, ${closedSideOf(row)}`;
}

/**
 * The day in a zone on which the closed position was opened. VARIOUS: there is no single day. Null: nothing
 * is known.
 */
export function openingDays({
  period,
  methods,
}: Pick<PackContext, "period" | "methods">): (row: CloseRow) => string | null {
  const dayOf = localDays(period.zone);
  return ({ match }) => {
    if (match === null) {
      return null;
    }
    const { opener } = match.match;
    return opener.matchId === null || methods.primary === "average" ? VARIOUS : dayOf(opener.time);
  };
}

/**
 * The converted amounts of a disposal. The gain equals that of realised-pnl.csv, and the cost is converted at
 * the same rate.
 */
interface ConvertedDisposal extends Pick<ConvertedMatch, "rate" | "rateDate" | "source"> {
  readonly proceeds: Amount;
  readonly cost: Amount;
  readonly gain: Amount;
}

function convertDisposal(converter: Converter, row: CloseRow): ConvertedDisposal | null {
  const disposal = disposalOf(row);
  if (disposal === null || row.match === null) {
    return null;
  }
  const { trade, own, match } = row;
  const { time } = own.booked;
  const { net: gain, rate, rateDate, source } = convertMatch(converter, match.match, trade.currency, time);
  const cost = converter.convert(disposal.cost, trade.currency, time).amount;
  return { proceeds: cost.plus(gain), cost, gain, rate, rateDate, source };
}

function columnsOf(context: PackContext, converter: Converter | null): CsvColumn<CloseRow>[] {
  const closingDay = localDays(context.period.zone);
  // Two columns use it.
  const own = memoizeLast(disposalOf);
  return [
    text("description", "What was closed: quantity, market, and long or short.", propertyOf, REQUIRED),
    text(
      "date_opened",
      `Day on which it was opened, in the pack's time zone, for example 2025-03-01. ${VARIOUS}: there is no single day, because the cost comes from a pool (average cost) or from a declared position.`,
      openingDays(context),
    ),
    date(
      "date_closed",
      "Day on which it was closed, in the pack's time zone.",
      (row) => closingDay(row.own.booked.time),
      REQUIRED,
    ),
    amount(
      "proceeds",
      "Value of the sale less its fee. A long position is sold when it is closed, a short position when it is opened.",
      (row) => own(row)?.proceeds,
    ),
    amount("cost", "Value of the purchase plus its fee.", (row) => own(row)?.cost),
    decimal("gain_or_loss", "proceeds − cost: net of fees, excluding funding.", ({ match }) => match?.net),
    decimal("fee_in_proceeds", "Fee deducted from proceeds. Negative: a rebate.", ({ match, trade }) =>
      trade.sign === 1 ? match?.openFee : match?.closeFee,
    ),
    decimal("fee_in_cost", "Fee included in cost. Negative: a rebate.", ({ match, trade }) =>
      trade.sign === 1 ? match?.closeFee : match?.openFee,
    ),
    text(
      "currency",
      "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
      ({ trade }) => trade.currency,
      REQUIRED,
    ),
    MARKET,
    SIDE,
    decimal("quantity", "Quantity closed, in the base currency of the market.", quantityOf),
    OPENED_AT,
    timeText("closed_at", "Time of the closing fill, UTC, as in realised-pnl.csv.", (row) => row.own.time, REQUIRED),
    ...FILL_IDS,
    statusColumn("the gain"),
    ...(converter === null ? [] : convertedColumns(converter)),
  ];
}

function convertedColumns(converter: Converter): CsvColumn<CloseRow>[] {
  const converted = memoizeLast((row: CloseRow) => convertDisposal(converter, row));
  return [
    text("report_currency", "Currency of the converted amounts in the columns that follow.", (row) =>
      converted(row) === null ? null : converter.to,
    ),
    decimal(
      "rate",
      "Units of report_currency for 1 unit of currency, on the day of the close.",
      (row) => converted(row)?.rate,
    ),
    amount("proceeds_converted", "cost_converted + gain_or_loss_converted.", (row) => converted(row)?.proceeds),
    amount(
      "cost_converted",
      "cost converted at the rate, rounded half even to 8 places.",
      (row) => converted(row)?.cost,
    ),
    amount(
      "gain_or_loss_converted",
      "net_converted in the same row of realised-pnl.csv.",
      (row) => converted(row)?.gain,
    ),
  ];
}

/** disposals.csv: each match of the chosen method as a sale and a purchase, with its fees. */
export function disposalsMaker(context: PackContext, converter: Converter | null): FileMaker {
  return new CsvMaker<CloseRow>({
    path: "disposals.csv",
    description:
      "Disposals, excluding funding: each row of realised-pnl.csv shown as a purchase and a sale, fees included. gain_or_loss equals realised_pnl_net_of_fees_excl_funding in realised-pnl.csv. The file states dates and amounts. It does not choose a tax treatment.",
    columns: columnsOf(context, converter),
    rowsOf: (batch) => closeRowsOf(batch, context),
  });
}

import type { Amount } from "../../../accounting/amount.ts";
import { type ConvertedMatch, convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { localDays } from "../../../core/local-day.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { numberOf, type OpeningDays, type Reopening } from "../../build/opening-days.ts";
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
import { amount, type CsvColumn, date, decimal, integer, REQUIRED, text, timeText } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** Stands for the date if the position was opened on several days or on an unknown day. */
export const VARIOUS = "VARIOUS";

/**
 * A match as a sale and a purchase, fees included. A long position is bought first, a short one sold first.
 */
export interface Disposal {
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
  const isShort = trade.sign === 1n;
  return isShort
    ? { proceeds: openValue - openFee, cost: closeValue + closeFee }
    : { proceeds: closeValue - closeFee, cost: openValue + openFee };
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
export interface ConvertedDisposal extends Pick<ConvertedMatch, "rate" | "rateDate" | "source"> {
  readonly proceeds: Amount;
  readonly cost: Amount;
  readonly gain: Amount;
}

export function convertDisposal(converter: Converter, row: CloseRow): ConvertedDisposal | null {
  const disposal = disposalOf(row);
  if (disposal === null || row.match === null) {
    return null;
  }
  const { trade, own, match } = row;
  const { time } = own.booked;
  const { net: gain, rate, rateDate, source } = convertMatch(converter, match.match, trade.currency, time);
  const cost = converter.convert(disposal.cost, trade.currency, time).amount;
  return { proceeds: cost + gain, cost, gain, rate, rateDate, source };
}

function columnsOf(context: PackContext, converter: Converter | null): CsvColumn<CloseRow>[] {
  const closingDay = localDays(context.period.zone);
  // Two columns use it.
  const own = memoizeLast(disposalOf);
  return [
    text("description", "What was closed, and whether it was long or short.", propertyOf, REQUIRED),
    text(
      "date_opened",
      `The day in the pack's zone, 2025-03-01, on which it was opened. ${VARIOUS}: there is no one day, as for a pool (average cost), or a position that the user declares.`,
      openingDays(context),
    ),
    date(
      "date_closed",
      "The day in the pack's zone on which it was closed.",
      (row) => closingDay(row.own.booked.time),
      REQUIRED,
    ),
    amount(
      "proceeds",
      "What it was sold for, less the fee of the sale. A long is sold when it is closed, a short when it is opened.",
      (row) => own(row)?.proceeds,
    ),
    amount("cost", "What it was bought for, and the fee of the purchase.", (row) => own(row)?.cost),
    decimal("gain_or_loss", "proceeds − cost: net of fees, without funding.", ({ match }) => match?.net),
    decimal("fee_in_proceeds", "The fee that proceeds are less by; negative: a rebate.", ({ match, trade }) =>
      trade.sign === 1n ? match?.openFee : match?.closeFee,
    ),
    decimal("fee_in_cost", "The fee that is in cost; negative: a rebate.", ({ match, trade }) =>
      trade.sign === 1n ? match?.closeFee : match?.openFee,
    ),
    text(
      "currency",
      "What the market is settled in, and every amount of the row but the converted ones.",
      ({ trade }) => trade.currency,
      REQUIRED,
    ),
    MARKET,
    SIDE,
    decimal("quantity", "What is closed, in the base of the market.", quantityOf),
    OPENED_AT,
    timeText("closed_at", "When the closing fill counts, UTC.", (row) => row.own.time, REQUIRED),
    ...FILL_IDS,
    statusColumn("the gain"),
    ...(context.information === null ? [] : informationColumns(context, context.information)),
    ...(converter === null ? [] : convertedColumns(converter)),
  ];
}

/** Columns that inform and are not filed. They imply no tax treatment. */
function informationColumns(context: PackContext, openings: OpeningDays): CsvColumn<CloseRow>[] {
  const closingDay = localDays(context.period.zone);
  const openedOn = openingDays(context);
  return [
    integer(
      "days_held",
      `Information, not advice: days from date_opened to date_closed. Empty where date_opened is empty or ${VARIOUS}.`,
      (row) => {
        const opened = openedOn(row) ?? VARIOUS;
        return opened === VARIOUS ? null : numberOf(closingDay(row.own.booked.time)) - numberOf(opened);
      },
    ),
    text(
      "possible_wash_sale",
      "Information, not advice, of a row with a loss: yes, when this account opened the same market on the same side, by another fill than the one that is named as opening the row, on a day from 30 days before date_closed to 30 days after it; no; or not known, when no such fill is seen, and some of these days are after the end of the pack's period, before the fills that it knows, in a break, in an incomplete pack, or of fills whose position is not known. Where status is not known, this is not known either. Only the fills of this account up to the end of the period are looked at. Whether 26 USC 1091 applies to these contracts at all, and to how much of the loss, is the preparer's to decide.",
      (row) => washSaleOf(row, openings),
    ),
  ];
}

function washSaleOf(row: CloseRow, openings: OpeningDays): Reopening | null {
  const { match, trade, own } = row;
  const disposal = disposalOf(row);
  if (match === null || disposal === null) {
    return "not known";
  }
  if (disposal.proceeds >= disposal.cost) {
    return null;
  }
  const { market } = trade;
  return openings.around({ market, side: closedSideOf(row), time: own.booked.time, opener: match.match.opener });
}

function convertedColumns(converter: Converter): CsvColumn<CloseRow>[] {
  const converted = memoizeLast((row: CloseRow) => convertDisposal(converter, row));
  return [
    text("report_currency", "What the amounts that follow are converted to.", (row) =>
      converted(row) === null ? null : converter.to,
    ),
    decimal(
      "rate",
      "How much of it 1 unit of the row's currency is, on the day of the close.",
      (row) => converted(row)?.rate,
    ),
    amount("proceeds_converted", "cost_converted + gain_or_loss_converted.", (row) => converted(row)?.proceeds),
    amount("cost_converted", "cost at the rate, rounded half even to 8 places.", (row) => converted(row)?.cost),
    amount(
      "gain_or_loss_converted",
      "net_converted of the same row of realised-pnl.csv.",
      (row) => converted(row)?.gain,
    ),
  ];
}

/** disposals.csv: each match of the chosen method as a sale and a purchase, with its fees. */
export function disposalsMaker(context: PackContext, converter: Converter | null): FileMaker {
  return new CsvMaker<CloseRow>({
    path: "disposals.csv",
    description:
      "Disposals, excl. funding: a row for each match of the chosen method, as what it was bought and sold for, fees included. gain_or_loss is realised_pnl_net_of_fees_excl_funding of realised-pnl.csv. It names dates and amounts, not their tax treatment.",
    columns: columnsOf(context, converter),
    rowsOf: (batch) => closeRowsOf(batch, context),
  });
}

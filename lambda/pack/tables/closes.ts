import { METHOD_NAMES } from "../../accounting/method.ts";
import type { Close, Posted } from "../../accounting/posted.ts";
import { type Amount, divide, PLACES, ZERO } from "../../core/amount.ts";
import { localDays } from "../../core/local-day.ts";
import type { PackContext } from "../make/maker.ts";
import {
  account,
  CSV_ONLY,
  convertedColumns,
  currency,
  day,
  idColumns,
  market,
  method,
  money,
  openerColumns,
  quantity,
  REQUIRED,
  SUMMED,
  text,
  time,
} from "./column.ts";
import type { Column, SheetTable } from "./table.ts";

/** Stands for the date if the position was opened on several days or on an unknown day. */
export const VARIOUS = "VARIOUS";

/** More are slow to open. */
const MOST_ROWS = 50_000;

/** realised-pnl.csv: each match of the chosen method, also as a sale and a purchase. */
export function closesTable(context: PackContext): SheetTable<Close> {
  return {
    path: "realised-pnl.csv",
    description:
      "Realised PnL, excluding funding: one row for each lot that a closing fill was matched with by the chosen method; under average cost, one row for each closing fill. proceeds and cost show the same as a sale and a purchase, fees included. If its PnL is not known, the row has no amounts. Do not add amounts of different currencies. The file states dates and amounts. It does not choose a tax treatment.",
    columns: columnsOf(context),
    sheet: {
      title: "Realised",
      about: `Each closing fill by ${METHOD_NAMES[context.methods.primary]}, with the lot or pool that it closed.`,
      nothing: "Nothing was closed in the period.",
      most: MOST_ROWS,
    },
    rows: { each: closesIn },
  };
}

export function closesIn(batch: readonly Posted[]): Close[] {
  return batch.flatMap(({ closes }) => closes);
}

/** The closed quantity. It is also known for a position without a known cost. Null: nothing is closed. */
export function quantityOf({ match, own }: Close): Amount | null {
  return match?.quantity ?? (own.closed.gt(ZERO) ? own.closed : null);
}

/** The side of the position that is closed. */
export function closedSideOf({ trade }: Close): "long" | "short" {
  return trade.sign === 1 ? "short" : "long";
}

/**
 * The value of the sale less its fee. A long position is bought first, a short one sold first. Null: the PnL of
 * the match is not known.
 */
export function proceedsOf({ match, trade }: Close): Amount | null {
  return match && (trade.sign === 1 ? match.openValue.minus(match.openFee) : match.closeValue.minus(match.closeFee));
}

/** The value of the purchase, its fee included. */
export function costOf({ match, trade }: Close): Amount | null {
  return match && (trade.sign === 1 ? match.closeValue.plus(match.closeFee) : match.openValue.plus(match.openFee));
}

/**
 * The day in a zone on which the closed position was opened. VARIOUS: there is no single day. Null: nothing
 * is known.
 */
export function openingDays({
  period,
  methods,
}: Pick<PackContext, "period" | "methods">): (row: Close) => string | null {
  const dayOf = localDays(period.zone);
  return ({ match }) => {
    if (match === null) {
      return null;
    }
    const { opener } = match;
    return opener.matchId === null || methods.primary === "average" ? VARIOUS : dayOf(opener.time);
  };
}

/** The ids of the fills that opened and closed it. A workbook with them in each row is slow to make and to open. */
export const FILL_IDS: readonly Column<Close>[] = [
  ...openerColumns<Close>(({ match }) => match?.opener),
  ...idColumns<Close>(
    ["close", "Closing"],
    ["match_id of the closing fill.", "order_id of the closing fill."],
    ({ own }) => own.fill,
    REQUIRED,
  ),
].map((column) => ({ ...column, ...CSV_ONLY }));

export const STATUS: Column<Close> = text(
  "status",
  "known, or the reason why PnL could not be calculated: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type. In that case amounts are empty, never 0.",
  ({ match, own }) => (match === null ? (own.blank ?? "market_incomplete") : "known"),
  REQUIRED,
);

function columnsOf(context: PackContext): Column<Close>[] {
  const { period, methods, converter } = context;
  const closingDay = localDays(period.zone);
  return [
    time(
      ["closed_at", "Closed"],
      "Time of the closing fill, UTC: filled_at, or tx_created if the venue gave no filled_at or if the pack's cut-off is based on the transaction.",
      ({ own }) => own.time,
      REQUIRED,
    ),
    account(({ own }) => own.account),
    market(({ trade }) => trade.market, REQUIRED),
    currency(({ trade }) => trade.currency, REQUIRED),
    method(METHOD_NAMES[methods.primary]),
    text(
      "side",
      "Side of the position that is closed: long or short.",
      (row) => (quantityOf(row) === null ? null : closedSideOf(row)),
      { width: 7 },
    ),
    quantity("quantity", "Quantity closed from this lot or pool, in the base currency of the market.", quantityOf),
    quantity(
      "open_price",
      "Opening price of the lot. Under average cost: that of the pool, rounded half even to 18 places, for display.",
      openPriceOf,
      CSV_ONLY,
    ),
    quantity(
      "close_price",
      "Price of the closing fill.",
      (row) => (quantityOf(row) === null ? null : row.trade.price),
      CSV_ONLY,
    ),
    money(
      "gross_pnl",
      "Long: value at closing − value at opening. Short: the reverse. Before fees and funding.",
      ({ match }) => match?.gross,
      SUMMED,
    ),
    money(
      ["open_fee", "Opening fees"],
      "Share of the opening fees for the closed quantity.",
      ({ match }) => match?.openFee,
      SUMMED,
    ),
    money(
      ["close_fee", "Closing fee"],
      "Share of the closing fill's fee for the closed quantity.",
      ({ match }) => match?.closeFee,
      SUMMED,
    ),
    money(
      ["realised_pnl_net_of_fees_excl_funding", "Net PnL excl. funding"],
      "gross_pnl − open_fee − close_fee. Excludes funding.",
      ({ match }) => match?.net,
      SUMMED,
    ),
    time(
      ["opened_at", "Opened"],
      "Time at which the lot was opened, UTC. For a pool: time of its first fill. For a declared position: its as_of.",
      ({ match }) => match?.opener.time,
    ),
    // The same as a sale and a purchase.
    text(
      ["date_opened", "Day of opening"],
      `Day on which it was opened, in the pack's time zone, for example 2025-03-01. ${VARIOUS}: there is no single day, because the cost comes from a pool (average cost) or from a declared position.`,
      openingDays(context),
      CSV_ONLY,
    ),
    day(
      ["date_closed", "Day of closing"],
      "Day on which it was closed, in the pack's time zone.",
      ({ own }) => closingDay(own.time),
      { ...REQUIRED, ...CSV_ONLY },
    ),
    money(
      "proceeds",
      "Value of the sale less its fee. A long position is sold when it is closed, a short position when it is opened.",
      proceedsOf,
    ),
    money(
      "cost",
      "Value of the purchase plus its fee. proceeds − cost = realised_pnl_net_of_fees_excl_funding.",
      costOf,
    ),
    ...FILL_IDS,
    text("designated", "yes: the user's matches.csv assigns this lot to this close.", ({ match }) =>
      match?.designated === true ? "yes" : null,
    ),
    STATUS,
    ...(converter === null
      ? []
      : [
          ...convertedColumns<Close>(converter.to, ({ converted }) => converted, {
            when: "the close",
            fees: "open_fee + close_fee",
          }),
          ...convertedDisposal(converter),
        ]),
  ];
}

function openPriceOf({ match }: Close): Amount | null {
  if (match === null) {
    return null;
  }
  const { openValue, quantity: closed, opener } = match;
  return openValue.eq(closed.times(opener.price)) ? opener.price : divide(openValue, closed, PLACES);
}

/** The cost is converted at the rate of the close, so that the gain is that of the row. */
function convertedDisposal(converter: NonNullable<PackContext["converter"]>): Column<Close>[] {
  const convertedCostOf = (row: Close) => {
    const cost = costOf(row);
    return cost && converter.convert(cost, row.trade.currency, row.own.time).amount;
  };
  return [
    money(
      ["proceeds_converted", "Proceeds"],
      "cost_converted + net_converted.",
      (row) => (row.converted === null ? null : convertedCostOf(row)?.plus(row.converted.net)),
      CSV_ONLY,
    ),
    money(
      ["cost_converted", "Cost"],
      "cost converted at the rate, rounded half even to 8 places.",
      convertedCostOf,
      CSV_ONLY,
    ),
  ];
}

import { type OpenLot, sideOf } from "../../../accounting/cost-book.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { Converted, RateConverter } from "../../../accounting/rates/converter.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import { type Amount, divide, PLACES, signOf, totalOf, withSign, ZERO } from "../../../core/amount.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, date, decimal, integer, REQUIRED, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** The cost of a position. */
interface PositionCost {
  readonly lots: number;
  /** The opening value, positive for long and short positions. */
  readonly value: Amount;
  /** The opening fees that it carries. */
  readonly deferredFee: Amount;
}

/** A market with a position at the end of the period, or with an unknown one. */
export interface PositionRow {
  readonly market: MarketStatement;
  /** Negative for a short position. Null: not known. */
  readonly signed: Amount | null;
  /** Null: not known. */
  readonly cost: PositionCost | null;
}

/** Converts at rates of the period's end, which may be missing. */
export type EndConverter = Pick<RateConverter, "to" | "convertIfKnown">;

/**
 * open-positions.csv: the open positions at the end of the period. `converter`: null if nothing is converted.
 */
export function openPositionsMaker(context: PackContext, converter: EndConverter | null): FileMaker {
  return new CsvMaker<PositionRow>({
    path: "open-positions.csv",
    description:
      "Open positions at the end of the period: one row for each market, at cost and, if marks.csv was given, also at market value. open-lots.csv lists their lots. If a position or its cost is not known, status says why.",
    columns: columnsOf(context, converter),
    keys: ["market"],
    rowsAtEnd: ({ statement }) => positionRows(statement),
  });
}

function columnsOf(context: PackContext, converter: EndConverter | null): CsvColumn<PositionRow>[] {
  const { account, methods } = context;
  return [
    text("account", "Name of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", ({ market }) => market.market),
    text(
      "currency",
      "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
      ({ market }) => market.currency,
    ),
    text("method", "The chosen cost method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    text("side", "Side of the position: long or short.", ({ signed }) => (isOpen(signed) ? sideOf(signed) : null)),
    amount("quantity", "Open quantity, in the base currency of the market.", ({ signed }) =>
      isOpen(signed) ? signed.abs() : null,
    ),
    amount(
      "average_open_price",
      "open_value ÷ quantity, rounded half even to 18 places, for display.",
      averageOpenPrice,
    ),
    amount("open_value", "Cost of the position. This is not its market value.", ({ cost }) => cost?.value),
    amount(
      "deferred_fee",
      "Opening fees carried with it: they were charged, and are recognised when it is closed.",
      ({ cost }) => cost?.deferredFee,
    ),
    integer("lots", "Number of its rows in open-lots.csv.", ({ cost }) => cost?.lots),
    ...markColumns(context),
    ...(converter === null ? [] : convertedColumns(context, converter)),
    text(
      "status",
      "known, or the reason why the position or its cost is not known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type.",
      ({ market, cost }) => (cost === null ? market.after.blank : "known"),
      REQUIRED,
    ),
  ];
}

/** Columns for the prices that the user gives. */
function markColumns({ marks }: PackContext): CsvColumn<PositionRow>[] {
  if (marks === null) {
    return [];
  }
  const markOf = ({ market, signed }: PositionRow) => (isOpen(signed) ? marks.get(market.market) : undefined);
  return [
    amount(
      "mark_price",
      "Last price in marks.csv from the start of the period's last day up to and including its end. Empty if there is none.",
      (row) => markOf(row)?.price,
    ),
    time("marked_at", "Time of that price, UTC.", (row) => markOf(row)?.time),
    amount("market_value", "quantity × mark_price.", (row) => marketValue(row, marks)),
    amount(
      "unrealised_pnl",
      "Long: market_value − open_value. Short: open_value − market_value. Before fees and funding.",
      (row) => unrealisedPnl(row, marks),
    ),
  ];
}

type Marks = NonNullable<PackContext["marks"]>;

/** Null: nothing is open, or there is no price. */
function marketValue({ market, signed }: PositionRow, marks: Marks): Amount | null {
  const mark = marks.get(market.market);
  return mark === undefined || !isOpen(signed) ? null : signed.abs().times(mark.price);
}

/** Before fees and funding. Null: nothing is open, its cost is not known, or there is no price. */
export function unrealisedPnl(row: PositionRow, marks: Marks): Amount | null {
  const value = marketValue(row, marks);
  if (value === null || row.cost === null) {
    return null;
  }
  return withSign(signOf(row.signed ?? ZERO), value.minus(row.cost.value));
}

function convertedColumns({ period }: PackContext, converter: EndConverter): CsvColumn<PositionRow>[] {
  const convert = ({ market, cost }: PositionRow, figure: "value" | "deferredFee"): Converted | null =>
    cost && converter.convertIfKnown(cost[figure], market.currency, period.to - 1);
  const missing = `missing: there is no rate into ${converter.to} for ${period.lastDay}`;
  return [
    text(
      "report_currency",
      "Currency of the converted amounts in the columns that follow.",
      () => converter.to,
      REQUIRED,
    ),
    decimal(
      "rate",
      "Units of report_currency for 1 unit of currency, on the last day of the period.",
      (row) => convert(row, "value")?.rate,
    ),
    date("rate_date", "Date of the rate. Empty for a declared par.", (row) => convert(row, "value")?.rateDate),
    text("rate_source", "File and series of the rate, or the declared par. If there is no rate, it says so.", (row) =>
      row.cost === null ? null : (convert(row, "value")?.source ?? missing),
    ),
    amount(
      "open_value_converted",
      "open_value converted at the rate, rounded half even. Empty if there is no rate.",
      (row) => convert(row, "value")?.amount,
    ),
    amount(
      "deferred_fee_converted",
      "deferred_fee converted at the same rate, rounded half even.",
      (row) => convert(row, "deferredFee")?.amount,
    ),
  ];
}

export function positionRows({ markets }: Pick<Statement, "markets">): PositionRow[] {
  return markets.flatMap((market): PositionRow[] => {
    const { position, blank, lots } = market.after;
    if (blank !== null) {
      return [{ market, signed: position, cost: null }];
    }
    return position?.isZero() === true ? [] : [{ market, signed: position, cost: costOfLots(lots) }];
  });
}

function costOfLots(lots: readonly OpenLot[]): PositionCost {
  return {
    lots: lots.length,
    value: totalOf(lots, ({ value }) => value),
    deferredFee: totalOf(lots, ({ fee }) => fee),
  };
}

/** Null: there is no position, or its cost is not known. */
export function averageOpenPrice({ signed, cost }: PositionRow): Amount | null {
  return cost === null || !isOpen(signed) ? null : divide(cost.value, signed.abs(), PLACES);
}

function isOpen(signed: Amount | null): signed is Amount {
  return signed !== null && !signed.isZero();
}

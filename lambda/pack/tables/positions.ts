import { deferredIn, openValueIn } from "../../accounting/carried.ts";
import { type OpenLot, sideOf } from "../../accounting/cost-book.ts";
import { type Holding, openIn, unrealisedIn } from "../../accounting/holdings.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import type { Converted } from "../../accounting/rates/converter.ts";
import { type Amount, divide, PLACES, ZERO } from "../../core/amount.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import {
  account,
  CSV_ONLY,
  count,
  currency,
  market,
  method,
  money,
  note,
  quantity,
  REQUIRED,
  rateColumns,
  reportCurrency,
  SIGNED,
  SUMMED,
  text,
  time,
} from "./column.ts";
import type { Column, SheetTable } from "./table.ts";

/** open-positions.csv: the open positions at the end of the period. */
export function positionsTable(context: PackContext): SheetTable<Holding> {
  const name = METHOD_NAMES[context.methods.primary];
  return {
    path: "open-positions.csv",
    description:
      "Open positions at the end of the period: one row for each account and market, at cost and, if marks.csv was given, also at market value. Quantities and values of short positions are negative. open-lots.csv lists their lots. If a position or its cost is not known, status says why.",
    columns: columnsOf(context),
    keys: ["account", "market"],
    sheet: {
      title: "Open positions",
      about: `At the end of the period, at cost (${name}), not at market value. Short positions are negative.${isGiven(context, "marks") ? " Unrealised PnL is before fees and funding, at the prices of marks.csv." : ""}`,
      nothing: "No position is open at the end of the period.",
    },
    rows: { atEnd: ({ sums }) => openIn(sums.holdings) },
  };
}

/** Null: there is no position, or it is not known. */
function heldOf({ after: { position } }: Holding): Amount | null {
  return position === null || position.isZero() ? null : position;
}

/** Null: not known. */
function costOf({ after }: Holding): Amount | null {
  return after.blank === null ? openValueIn(after) : null;
}

/** Null: there is no position, or its cost is not known. */
function averageOpenPrice(row: Holding): Amount | null {
  const [held, cost] = [heldOf(row), costOf(row)];
  return held === null || cost === null ? null : divide(cost.abs(), held.abs(), PLACES);
}

/** Null: nothing is open, or there is no price. */
function markOf(row: Holding): Holding["mark"] {
  return heldOf(row) === null ? null : row.mark;
}

function columnsOf(context: PackContext): Column<Holding>[] {
  return [
    account<Holding>((row) => row.account),
    market((row) => row.market),
    currency((row) => row.currency),
    method(METHOD_NAMES[context.methods.primary]),
    text(
      "side",
      "Side of the position: long or short.",
      (row) => {
        const held = heldOf(row);
        return held === null ? null : sideOf(held);
      },
      { width: 7 },
    ),
    quantity("quantity", "Position, in the base currency of the market. Short: negative.", heldOf, SIGNED),
    quantity(
      "average_open_price",
      "open_value ÷ quantity, rounded half even to 18 places, for display.",
      averageOpenPrice,
    ),
    money("open_value", "Cost of the position: long positive, short negative. This is not its market value.", costOf, {
      ...SUMMED,
      ...SIGNED,
    }),
    money(
      ["deferred_fee", "Fees carried"],
      "Opening fees carried with it: they were charged, and are recognised when it is closed.",
      ({ after }) => (after.blank === null ? deferredIn(after) : null),
      SUMMED,
    ),
    count(
      "lots",
      "Number of its rows in open-lots.csv.",
      ({ after }) => (after.blank === null ? after.lots.length : null),
      SUMMED,
    ),
    ...(isGiven(context, "marks") ? MARK_COLUMNS : []),
    ...convertedColumns(context),
    note(
      "status",
      "known, or the reason why the position or its cost is not known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type.",
      ({ after }) => after.blank ?? "known",
      { ...REQUIRED, width: 30 },
    ),
  ];
}

/** At the prices that the user gives. */
const MARK_COLUMNS: readonly Column<Holding>[] = [
  quantity(
    "mark_price",
    "Last price in marks.csv from the start of the period's last day up to and including its end. Empty if there is none.",
    (row) => markOf(row)?.price,
  ),
  time(["marked_at", "Marked"], "Time of that price, UTC.", (row) => markOf(row)?.time, CSV_ONLY),
  money("market_value", "quantity × mark_price.", (row) => markOf(row)?.price.times(heldOf(row) ?? ZERO)),
  money("unrealised_pnl", "market_value − open_value. Before fees and funding.", unrealisedIn, SUMMED),
];

/** At rates of the period's end, which may be missing. */
function convertedColumns({ period, converter }: PackContext): Column<Holding>[] {
  if (converter === null) {
    return [];
  }
  const { to } = converter;
  const convert = (row: Holding, amount: Amount | null): Converted | null =>
    amount && converter.convertIfKnown(amount, row.currency, period.to - 1);
  const cost = (row: Holding) => convert(row, costOf(row));
  return [
    reportCurrency(to),
    ...rateColumns(cost, "on the last day of the period"),
    note(
      ["rate_source", "Source of the rate"],
      "File and series of the rate, or the declared par. If there is no rate, it says so.",
      (row) =>
        costOf(row) === null
          ? null
          : (cost(row)?.source ?? `missing: there is no rate into ${to} for ${period.lastDay}`),
      { width: 30 },
    ),
    money(
      ["open_value_converted", `Open value, in ${to}`],
      "open_value converted at the rate, rounded half even. Empty if there is no rate.",
      (row) => cost(row)?.amount,
      SUMMED,
    ),
    money(
      ["deferred_fee_converted", `Fees carried, in ${to}`],
      "deferred_fee converted at the same rate, rounded half even.",
      (row) => convert(row, costOf(row) && deferredIn(row.after))?.amount,
      CSV_ONLY,
    ),
  ];
}

/** The price of a lot. For a pool, the average opening price, rounded half even at 18 places. */
export function lotPrice({ value, quantity: open }: OpenLot): Amount {
  return divide(value, open, PLACES);
}

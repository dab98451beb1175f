import { countOf } from "../../../accounting/aggregate.ts";
import { sideOf } from "../../../accounting/cost-book.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { counted } from "../../../core/text.ts";
import type { PackContext } from "../../build/maker.ts";
import {
  averageOpenPrice,
  type EndConverter,
  type PositionRow,
  positionRows,
  unrealisedPnl,
} from "../csv/open-positions.ts";
import type { Value } from "./cells.ts";
import { convertedHead, currencyName, marketName, methodNames } from "./labels.ts";
import {
  amountColumn,
  currencyColumn,
  type SheetColumn,
  type SheetTable,
  summedColumn,
  tableOf,
  textColumn,
} from "./table.ts";

/** The open positions at the end, by market. `converter`: null if nothing is converted. */
export function openPositionsTable(
  context: PackContext,
  statement: Statement,
  converter: EndConverter | null,
): SheetTable {
  const { marks } = context;
  const openValue = (row: PositionRow) => (row.cost === null ? null : signed(row, row.cost.value));
  const converted = (row: PositionRow): Amount | null => {
    const value = openValue(row);
    const result = value === null ? null : converter?.convertIfKnown(value, row.market.currency, context.period.to - 1);
    return result?.amount ?? null;
  };
  const convertedColumns = (to: string) => [summedColumn<PositionRow>(convertedHead("Open value", to), converted)];
  return tableOf<PositionRow>(
    context,
    {
      name: "Open positions",
      about: `At the end of the period, at cost (${methodNames(context).primary}), not at market value. Short positions are negative.${marks === null ? "" : " Unrealised PnL is before fees and funding, at the prices of marks.csv."}`,
      columns: [
        textColumn("Market", 16, ({ market }) => marketName(market.market)),
        currencyColumn(({ market }) => currencyName(market.currency)),
        textColumn("Side", 7, sideText),
        amountColumn("Quantity", (row) => (row.signed === null ? null : { quantity: row.signed })),
        amountColumn("Average open price", priceOf),
        { ...summedColumn("Open value", openValue), id: "openValue" },
        { ...summedColumn<PositionRow>("Fees carried", ({ cost }) => cost?.deferredFee ?? null), id: "deferred" },
        { ...summedColumn<PositionRow>("Lots", ({ cost }) => cost?.lots ?? null), width: 9 },
        ...(marks === null ? [] : markColumns(marks)),
        ...(converter === null ? [] : convertedColumns(converter.to)),
        noteColumn(context, converter, converted),
      ],
      groupedBy: ["currency"],
      nothing: "No position is open at the end of the period.",
      file: "open-positions.csv",
    },
    positionRows(statement),
  );
}

function markColumns(marks: NonNullable<PackContext["marks"]>): SheetColumn<PositionRow>[] {
  return [
    amountColumn("Mark price", ({ market }) => {
      const mark = marks.get(market.market);
      return mark === undefined ? null : { quantity: mark.price };
    }),
    summedColumn("Unrealised PnL", (row) => unrealisedPnl(row, marks)),
  ];
}

/** The number of positions and lots: `19 positions (1,488 lots by FIFO)`. */
export function openPositionsText(context: PackContext, statement: Statement): string {
  const rows = positionRows(statement);
  const lots = countOf(rows, ({ cost }) => cost?.lots ?? 0);
  const unknown = rows.filter(({ cost }) => cost === null).length;
  const rest = unknown === 0 ? "" : `; the position or its cost is not known for ${counted(unknown, "market")}`;
  return `${counted(rows.length - unknown, "position")} (${counted(lots, "lot")} by ${methodNames(context).primary})${rest}`;
}

function sideText({ signed: held }: PositionRow): string {
  return held === null || held.isZero() ? "" : sideOf(held);
}

function signed(row: PositionRow, value: Amount): Amount {
  return row.signed?.lt(ZERO) === true ? value.neg() : value;
}

function priceOf(row: PositionRow): Value {
  const price = averageOpenPrice(row);
  return price === null ? null : { quantity: price };
}

function noteColumn(
  { period, marks }: PackContext,
  converter: EndConverter | null,
  converted: (row: PositionRow) => Amount | null,
): SheetColumn<PositionRow> {
  const noteOf = (row: PositionRow) => {
    if (row.cost === null) {
      return `Not known: ${row.market.after.blank}`;
    }
    const missing = [
      ...(converter !== null && converted(row) === null
        ? [`There is no rate into ${converter.to} for ${period.lastDay}.`]
        : []),
      ...(marks !== null && unrealisedPnl(row, marks) === null ? ["marks.csv has no price for it."] : []),
    ];
    return missing.join(" ");
  };
  return { head: "Note", width: 48, kind: "note", value: noteOf };
}

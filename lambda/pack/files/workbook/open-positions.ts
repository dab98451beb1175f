import { amountOf } from "../../../accounting/amount.ts";
import { sideOf } from "../../../accounting/cost-book.ts";
import type { MethodRole } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { counted } from "../../../core/text.ts";
import type { PackContext } from "../../build/maker.ts";
import {
  averageOpenPrice,
  type EndConverter,
  type PositionCost,
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
  const names = methodNames(context);
  const { marks } = context;
  const openValue = (row: PositionRow, role: MethodRole) => {
    const cost = row.costs?.[role];
    return cost === undefined ? null : signed(row, cost.value);
  };
  const deferredFee = ({ costs }: PositionRow, role: MethodRole) => costs?.[role].deferredFee ?? null;
  const converted = (row: PositionRow): bigint | null => {
    const value = openValue(row, "primary");
    const result = value === null ? null : converter?.convertIfKnown(value, row.market.currency, context.period.to - 1);
    return result?.amount ?? null;
  };
  const convertedColumns = (to: string) => [summedColumn<PositionRow>(convertedHead("Open value", to), converted)];
  return tableOf<PositionRow>(
    context,
    {
      name: "Open positions",
      about: `At the end of the period, at cost (${names.primary}), not at market value. Short positions are negative.${marks === null ? "" : " Unrealised PnL is before fees and funding, at the prices of marks.csv."}`,
      columns: [
        textColumn("Market", 16, ({ market }) => marketName(market.market)),
        currencyColumn(({ market }) => currencyName(market.currency)),
        textColumn("Side", 7, sideText),
        amountColumn("Quantity", (row) => (row.signed === null ? null : { quantity: amountOf(row.signed) })),
        amountColumn("Average open price", (row) => priceOf(row, row.costs?.primary)),
        { ...summedColumn("Open value", (row) => openValue(row, "primary")), id: "openValue-primary" },
        { ...summedColumn("Fees carried", (row) => deferredFee(row, "primary")), id: "deferred-primary" },
        { ...summedColumn<PositionRow>("Lots", ({ costs }) => costs?.primary.lots ?? null), width: 9 },
        ...(marks === null ? [] : markColumns(marks)),
        ...(converter === null ? [] : convertedColumns(converter.to)),
        {
          ...summedColumn(`Open value: ${names.reference}`, (row) => openValue(row, "reference")),
          id: "openValue-reference",
        },
        {
          ...summedColumn(`Fees carried: ${names.reference}`, (row) => deferredFee(row, "reference")),
          id: "deferred-reference",
        },
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
      return mark === undefined ? null : { quantity: amountOf(mark.price) };
    }),
    summedColumn("Unrealised PnL", (row) => unrealisedPnl(row, "primary", marks)),
  ];
}

/** The number of positions and lots: `19 positions (1,488 lots by FIFO)`. */
export function openPositionsText(context: PackContext, statement: Statement): string {
  const rows = positionRows(statement);
  const lots = rows.reduce((sum, { costs }) => sum + (costs?.primary.lots ?? 0), 0);
  const unknown = rows.filter(({ costs }) => costs === null).length;
  const rest = unknown === 0 ? "" : `; the position or its cost is not known for ${counted(unknown, "market")}`;
  return `${counted(rows.length - unknown, "position")} (${counted(lots, "lot")} by ${methodNames(context).primary})${rest}`;
}

function sideText({ signed: held }: PositionRow): string {
  return held === null || held === 0n ? "" : sideOf(held);
}

function signed(row: PositionRow, value: bigint): bigint {
  return row.signed !== null && row.signed < 0n ? -value : value;
}

function priceOf(row: PositionRow, cost: PositionCost | undefined): Value {
  const price = averageOpenPrice(row, cost ?? null);
  return price === null ? null : { quantity: amountOf(price) };
}

function noteColumn(
  { period, marks }: PackContext,
  converter: EndConverter | null,
  converted: (row: PositionRow) => bigint | null,
): SheetColumn<PositionRow> {
  const noteOf = (row: PositionRow) => {
    if (row.costs === null) {
      return `Not known: ${row.market.after.blank}`;
    }
    const missing = [
      ...(converter !== null && converted(row) === null
        ? [`There is no rate into ${converter.to} for ${period.lastDay}.`]
        : []),
      ...(marks !== null && unrealisedPnl(row, "primary", marks) === null ? ["marks.csv has no price for it."] : []),
    ];
    return missing.join(" ");
  };
  return { head: "Note", width: 48, kind: "note", value: noteOf };
}

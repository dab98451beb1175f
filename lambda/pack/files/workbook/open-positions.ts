import { amountOf, divideHalfEven } from "../../../accounting/amount.ts";
import { type OpenLot, sideOf } from "../../../accounting/cost-book.ts";
import type { Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import { type PositionRow, positionRows } from "../csv/open-positions.ts";
import type { Value } from "./cells.ts";
import { currencyName, marketName, methodNames } from "./labels.ts";
import { amountColumn, currencyColumn, type SheetColumn, type SheetTable, tableOf, textColumn } from "./table.ts";

/** What is open at the end: the pool of average entry, and the lots of the method beside it. */
export function openPositionsTable(context: PackContext, statement: Statement): SheetTable {
  const names = methodNames(context);
  return tableOf<PositionRow>(
    context,
    {
      name: "Open positions",
      about:
        "At the end of the period, under both methods: each shows the whole position. Short ones are negative. Average entry has one pool, opened by its first fill.",
      columns: [
        textColumn("Market", 16, ({ market }) => marketName(market.market)),
        currencyColumn(({ market }) => currencyName(market.currency)),
        { id: "method", ...textColumn("Method", 20, ({ role }) => (role === null ? "" : names[role])) },
        { ...lotColumn("Side", ({ sign }) => sideOf(sign)), width: 7, kind: "text" },
        amountColumn("Quantity", ({ signed }) => (signed === null ? null : { quantity: amountOf(signed) })),
        lotColumn("Entry price", averagePrice),
        { ...lotColumn("Open value", ({ sign, value }) => sign * value), id: "openValue", isSummed: true },
        { ...lotColumn("Opening fees carried", ({ fee }) => fee), id: "deferred", isSummed: true },
        { ...lotColumn(`Opened (${context.period.zone})`, ({ opener }) => ({ ms: opener.time })), width: 20 },
        { ...lotColumn("Opening match_id", ({ opener }) => opener.matchId), width: 20, kind: "text" },
        { ...lotColumn("Opening order_id", ({ opener }) => opener.orderId), width: 20, kind: "text" },
        { head: "Note", width: 40, kind: "note", value: noteOf },
      ],
      groupedBy: ["currency", "method"],
      nothing: "Nothing is open at the end of the period.",
      file: "open-positions.csv",
    },
    positionRows(statement),
  );
}

function lotColumn(head: string, value: (lot: OpenLot) => Value): SheetColumn<PositionRow> {
  return amountColumn(head, ({ lot }) => (lot === null ? null : value(lot)));
}

/** Of a lot its price; of a pool what a unit was opened for on average, half even at 18 places. */
function averagePrice({ value, quantity }: OpenLot): Value {
  return { quantity: amountOf(divideHalfEven(value, quantity)) };
}

function noteOf({ market: { after }, lot }: PositionRow): string {
  if (lot === null) {
    return `Not known: ${after.blank}`;
  }
  return lot.opener.matchId === null ? "Declared in opening-positions.csv" : "";
}

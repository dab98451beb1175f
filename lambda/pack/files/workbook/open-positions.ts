import { amountOf, divideHalfEven } from "../../../accounting/amount.ts";
import type { OpenLot } from "../../../accounting/cost-book.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { currencyName, marketName, methodNames } from "./labels.ts";
import { amountColumn, currencyColumn, type Table, type TableColumn, tableOf, textColumn } from "./table.ts";

interface PositionRow {
  readonly statement: MarketStatement;
  /** Empty where nothing is known of the lots. */
  readonly method: string;
  readonly lot: OpenLot | null;
}

/** What is open at the end: the pool of average entry, and the lots of the method beside it. */
export function openPositionsTable(context: PackContext, { markets }: Statement): Table {
  return tableOf<PositionRow>(
    context,
    {
      name: "Open positions",
      about:
        "At the end of the period, under both methods: each shows the whole position. Short ones are negative. Average entry has one pool, opened by its first fill.",
      columns: [
        textColumn("Market", 16, ({ statement }) => marketName(statement.market)),
        currencyColumn(({ statement }) => currencyName(statement.currency)),
        { id: "method", ...textColumn("Method", 20, ({ method }) => method) },
        { ...lotColumn("Side", ({ sign }) => (sign === 1n ? "long" : "short")), width: 7, kind: "text" },
        amountColumn("Quantity", quantityOf),
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
    markets.flatMap((statement) => rowsOf(statement, methodNames(context))),
  );
}

function rowsOf(statement: MarketStatement, names: readonly [string, string]): PositionRow[] {
  const { blank, lots } = statement.after;
  return [
    ...(blank === null ? [] : [{ statement, method: "", lot: null }]),
    ...lots.flatMap((own, method) => own.map((lot) => ({ statement, method: names[method] ?? "", lot }))),
  ];
}

function lotColumn(head: string, value: (lot: OpenLot) => Value): TableColumn<PositionRow> {
  return amountColumn(head, ({ lot }) => (lot === null ? null : value(lot)));
}

function quantityOf({ statement, lot }: PositionRow): Value {
  const quantity = lot === null ? statement.after.position : lot.sign * lot.quantity;
  return quantity === null ? null : { quantity: amountOf(quantity) };
}

/** Of a lot its price; of a pool what a unit was opened for on average, half even at 18 places. */
function averagePrice({ value, quantity }: OpenLot): Value {
  return { quantity: amountOf(divideHalfEven(value, quantity)) };
}

function noteOf({ statement: { after }, lot }: PositionRow): string {
  if (lot === null) {
    return `Not known: ${after.blank}`;
  }
  return lot.opener.matchId === null ? "Declared in opening-positions.csv" : "";
}

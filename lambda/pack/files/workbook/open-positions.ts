import { type Amount, amountOf, divideHalfEven } from "../../../accounting/amount.ts";
import type { OpenLot } from "../../../accounting/cost-book.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH, type Value } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { currencyName, marketName, methodNames } from "./labels.ts";
import { type Table, type TableColumn, TableWriter } from "./table.ts";

interface PositionRow {
  readonly statement: MarketStatement;
  /** Empty where nothing is known of the lots. */
  readonly method: string;
  readonly lot: OpenLot | null;
}

/** What is open at the end: the pool of average entry, and the lots of the method beside it. */
export function openPositionsTable(context: PackContext, { markets }: Statement): Table {
  const { zone } = context.period;
  const table = new TableWriter<PositionRow>({
    ...frameOf(
      context,
      "Open positions",
      "At the end of the period, under both methods: each shows the whole position. Short ones are negative. Average entry has one pool, opened by its first fill.",
    ),
    columns: [
      { head: "Market", width: 16, kind: "text", value: ({ statement }) => marketName(statement.market) },
      {
        id: "currency",
        head: "Currency",
        width: 10,
        kind: "text",
        value: ({ statement }) => currencyName(statement.currency),
      },
      { id: "method", head: "Method", width: 20, kind: "text", value: ({ method }) => method },
      { head: "Side", width: 7, kind: "text", value: ({ lot }) => (lot === null ? null : sideOf(lot)) },
      { head: "Quantity", width: AMOUNT_WIDTH, kind: "number", value: quantityOf },
      lotColumn("Entry price", (lot) => ({ quantity: averagePrice(lot) })),
      { ...lotColumn("Open value", signedValue), id: "openValue", isSummed: true },
      { ...lotColumn("Opening fees carried", ({ fee }) => fee), id: "deferred", isSummed: true },
      lotColumn(`Opened (${zone})`, ({ opener }) => ({ ms: opener.time }), 20),
      { ...lotColumn("Opening match_id", ({ opener }) => opener.matchId, 20), kind: "text" },
      { ...lotColumn("Opening order_id", ({ opener }) => opener.orderId, 20), kind: "text" },
      { head: "Note", width: 40, kind: "note", value: noteOf },
    ],
    groupedBy: ["currency", "method"],
    nothing: "Nothing is open at the end of the period.",
    file: "open-positions.csv",
  });
  const names = methodNames(context);
  for (const statement of markets) {
    const { blank, lots } = statement.after;
    if (blank !== null) {
      table.add({ statement, method: "", lot: null });
    }
    for (const method of [0, 1] as const) {
      for (const lot of lots[method]) {
        table.add({ statement, method: names[method], lot });
      }
    }
  }
  return table.finish();
}

/** What the lots were opened for: of shorts negative. */
function signedValue({ sign, value }: OpenLot): Amount {
  return sign * value;
}

function lotColumn(head: string, value: (lot: OpenLot) => Value, width = AMOUNT_WIDTH): TableColumn<PositionRow> {
  return { head, width, kind: "number", value: ({ lot }) => (lot === null ? null : value(lot)) };
}

function sideOf({ sign }: OpenLot): string {
  return sign === 1n ? "long" : "short";
}

function quantityOf({ statement, lot }: PositionRow): Value {
  const quantity = lot === null ? statement.after.position : lot.sign * lot.quantity;
  return quantity === null ? null : { quantity: amountOf(quantity) };
}

/** Of a lot its price; of a pool what a unit was opened for on average, half even at 18 places. */
function averagePrice({ value, quantity }: OpenLot): Amount {
  return amountOf(divideHalfEven(value, quantity));
}

function noteOf({ statement: { after }, lot }: PositionRow): string {
  if (lot === null) {
    return `Not known: ${after.blank}`;
  }
  return lot.opener.matchId === null ? "Declared in opening-positions.csv" : "";
}

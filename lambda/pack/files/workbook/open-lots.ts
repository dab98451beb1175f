import type { Statement } from "../../../accounting/statement.ts";
import { withSign } from "../../../core/amount.ts";
import type { PackContext } from "../../build/maker.ts";
import { type LotRow, lotPrice, lotRows } from "../csv/open-lots.ts";
import { currencyName, marketName, methodNames } from "./labels.ts";
import {
  amountColumn,
  currencyColumn,
  MATCH_ID_WIDTH,
  ORDER_ID_WIDTH,
  type SheetTable,
  summedColumn,
  tableOf,
  textColumn,
} from "./table.ts";

/** The lots of the open positions by the chosen method. */
export function openLotsTable(context: PackContext, { markets }: Statement): SheetTable {
  return tableOf<LotRow>(
    context,
    {
      name: "Open lots",
      about: `Lots of the open positions, ${methodNames(context).primary}. They add up to the positions. Short lots are negative.`,
      columns: [
        textColumn("Market", 16, ({ market }) => marketName(market.market)),
        currencyColumn(({ market }) => currencyName(market.currency)),
        textColumn("Side", 7, ({ lot }) => (lot.sign === 1 ? "long" : "short")),
        amountColumn("Quantity", ({ lot }) => ({ quantity: withSign(lot.sign, lot.quantity) })),
        amountColumn("Open price", ({ lot }) => ({ quantity: lotPrice(lot) })),
        summedColumn("Open value", ({ lot }) => withSign(lot.sign, lot.value)),
        summedColumn("Fees carried", ({ lot }) => lot.fee),
        { ...amountColumn(`Opened (${context.period.zone})`, ({ lot }) => ({ ms: lot.opener.time })), width: 20 },
        textColumn("Opening match_id", MATCH_ID_WIDTH, ({ lot }) => lot.opener.matchId),
        textColumn("Opening order_id", ORDER_ID_WIDTH, ({ lot }) => lot.opener.orderId),
        {
          head: "Note",
          width: 36,
          kind: "note",
          value: ({ lot }) => (lot.opener.matchId === null ? "Declared in opening-positions.csv" : ""),
        },
      ],
      groupedBy: ["currency"],
      nothing: "No position is open at the end of the period, or its cost is not known.",
      file: "open-lots.csv",
    },
    lotRows(markets),
  );
}

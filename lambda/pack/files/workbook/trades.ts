import { amountOf } from "../../../accounting/amount.ts";
import type { RoundTrip } from "../../../accounting/booked.ts";
import type { PackContext } from "../../build/maker.ts";
import { marketName } from "./labels.ts";
import { amountColumn, currencyColumn, summedColumn, TableWriter, textColumn } from "./table.ts";

/** From flat to flat, ended in the period. The only sheet that grows with fills. */
export function tradesTable(context: PackContext): TableWriter<RoundTrip> {
  const { zone } = context.period;
  return new TableWriter<RoundTrip>(context, {
    name: "Closed trades",
    about:
      "From flat to flat, and ended in the period: a trade that began before it is here as a whole, one that is not over is not.",
    columns: [
      textColumn("Market", 14, ({ market }) => marketName(market)),
      currencyColumn(({ currency }) => currency),
      textColumn("Side", 8, ({ side }) => side),
      { head: `Opened (${zone})`, width: 19, kind: "number", value: ({ openedAt }) => ({ ms: openedAt }) },
      { head: `Closed (${zone})`, width: 19, kind: "number", value: ({ closedAt }) => ({ ms: closedAt }) },
      { head: "Fills", width: 7, kind: "number", value: ({ fills }) => fills },
      amountColumn("Largest position", ({ most }) => ({ quantity: amountOf(most) })),
      amountColumn("Quantity", ({ quantity }) => ({ quantity: amountOf(quantity) })),
      amountColumn("Open value", ({ openValue }) => openValue),
      amountColumn("Close value", ({ closeValue }) => closeValue),
      summedColumn("Gross", ({ gross }) => gross),
      summedColumn("Fees", ({ fees }) => fees),
      summedColumn("Net excl. funding", ({ gross, fees }) => gross - fees),
      textColumn("First match_id", 15, ({ first }) => first.matchId),
      textColumn("First order_id", 15, ({ first }) => first.orderId),
      textColumn("Last match_id", 15, ({ last }) => last.matchId),
      textColumn("Last order_id", 15, ({ last }) => last.orderId),
    ],
    groupedBy: ["currency"],
    nothing: "No trade was closed in the period.",
    file: "closed-trades.csv",
  });
}

import { amountOf } from "../../../accounting/amount.ts";
import type { RoundTrip } from "../../../accounting/booked.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { marketName } from "./labels.ts";
import { TableWriter } from "./table.ts";

/** From flat to flat, ended in the period. The only sheet that grows with fills. */
export function tradesTable(context: PackContext): TableWriter<RoundTrip> {
  const { zone } = context.period;
  return new TableWriter<RoundTrip>({
    ...frameOf(
      context,
      "Closed trades",
      "From flat to flat, and ended in the period: a trade that began before it is here as a whole, one that is not over is not.",
    ),
    columns: [
      { head: "Market", width: 14, kind: "text", value: ({ market }) => marketName(market) },
      { id: "currency", head: "Currency", width: 10, kind: "text", value: ({ currency }) => currency },
      { head: "Side", width: 8, kind: "text", value: ({ side }) => side },
      { head: `Opened (${zone})`, width: 19, kind: "number", value: ({ openedAt }) => ({ ms: openedAt }) },
      { head: `Closed (${zone})`, width: 19, kind: "number", value: ({ closedAt }) => ({ ms: closedAt }) },
      { head: "Fills", width: 7, kind: "number", value: ({ fills }) => fills },
      {
        head: "Largest position",
        width: AMOUNT_WIDTH,
        kind: "number",
        value: ({ most }) => ({ quantity: amountOf(most) }),
      },
      {
        head: "Quantity",
        width: AMOUNT_WIDTH,
        kind: "number",
        value: ({ quantity }) => ({ quantity: amountOf(quantity) }),
      },
      { head: "Open value", width: AMOUNT_WIDTH, kind: "number", value: ({ openValue }) => openValue },
      { head: "Close value", width: AMOUNT_WIDTH, kind: "number", value: ({ closeValue }) => closeValue },
      { head: "Gross", width: AMOUNT_WIDTH, kind: "number", isSummed: true, value: ({ gross }) => gross },
      { head: "Fees", width: AMOUNT_WIDTH, kind: "number", isSummed: true, value: ({ fees }) => fees },
      {
        head: "Net excl. funding",
        width: AMOUNT_WIDTH,
        kind: "number",
        isSummed: true,
        value: ({ gross, fees }) => gross - fees,
      },
      { head: "First match_id", width: 15, kind: "text", value: ({ first }) => first.matchId },
      { head: "First order_id", width: 15, kind: "text", value: ({ first }) => first.orderId },
      { head: "Last match_id", width: 15, kind: "text", value: ({ last }) => last.matchId },
      { head: "Last order_id", width: 15, kind: "text", value: ({ last }) => last.orderId },
    ],
    groupedBy: ["currency"],
    nothing: "No trade was closed in the period.",
    file: "closed-trades.csv",
  });
}

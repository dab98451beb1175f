import type { RoundTrip } from "../../../accounting/booked.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { PackContext } from "../../build/maker.ts";
import { convertedHead, marketName } from "./labels.ts";
import {
  amountColumn,
  currencyColumn,
  MATCH_ID_WIDTH,
  ORDER_ID_WIDTH,
  summedColumn,
  TableWriter,
  textColumn,
} from "./table.ts";

/** Trades from flat to flat that ended in the period. `converter`: null if nothing is converted. */
export function tradesTable(context: PackContext, converter: Converter | null): TableWriter<RoundTrip> {
  const { zone } = context.period;
  const netIn = (to: Converter, { gross, fees, currency, closedAt }: RoundTrip) =>
    to.convert(gross, currency, closedAt).amount.minus(to.convert(fees, currency, closedAt).amount);
  return new TableWriter<RoundTrip>(context, {
    name: "Closed trades",
    about:
      "A closed trade runs from a flat position back to flat. The sheet lists every trade that ended in the period, whenever it began.",
    columns: [
      textColumn("Market", 14, ({ market }) => marketName(market)),
      currencyColumn(({ currency }) => currency),
      textColumn("Side", 8, ({ side }) => side),
      { head: `Opened (${zone})`, width: 20, kind: "number", value: ({ openedAt }) => ({ ms: openedAt }) },
      { head: `Closed (${zone})`, width: 20, kind: "number", value: ({ closedAt }) => ({ ms: closedAt }) },
      { head: "Fills", width: 7, kind: "number", value: ({ fills }) => fills },
      amountColumn("Largest position", ({ most }) => ({ quantity: most })),
      amountColumn("Quantity", ({ quantity }) => ({ quantity })),
      amountColumn("Open value", ({ openValue }) => openValue),
      amountColumn("Close value", ({ closeValue }) => closeValue),
      summedColumn("Gross PnL", ({ gross }) => gross),
      summedColumn("Fees", ({ fees }) => fees),
      summedColumn("Net PnL excl. funding", ({ gross, fees }) => gross.minus(fees)),
      ...(converter === null
        ? []
        : [
            summedColumn<RoundTrip>(convertedHead("Net PnL excl. funding", converter.to), (trip) =>
              netIn(converter, trip),
            ),
          ]),
      textColumn("First match_id", MATCH_ID_WIDTH, ({ first }) => first.matchId),
      textColumn("First order_id", ORDER_ID_WIDTH, ({ first }) => first.orderId),
      textColumn("Last match_id", MATCH_ID_WIDTH, ({ last }) => last.matchId),
      textColumn("Last order_id", ORDER_ID_WIDTH, ({ last }) => last.orderId),
    ],
    groupedBy: ["currency"],
    nothing: "No trade was closed in the period.",
    file: "closed-trades.csv",
  });
}

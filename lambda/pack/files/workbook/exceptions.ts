import { isoTime } from "../../../core/time.ts";
import type { ExceptionRow, ExceptionSummary, PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { MATCH_ID_WIDTH, ORDER_ID_WIDTH, type SheetTable, tableOf, textColumn } from "./table.ts";

/** The first rows of exceptions.csv. */
export function exceptionsTable(context: PackContext, { count, first }: ExceptionSummary): SheetTable {
  return tableOf<ExceptionRow>(
    context,
    {
      name: "Exceptions",
      about: "What a reader of the fills and markets must know.",
      columns: [
        textColumn("match_id", MATCH_ID_WIDTH, ({ matchId }) => matchId),
        textColumn("order_id", ORDER_ID_WIDTH, ({ orderId }) => orderId),
        { head: `tx_created (${context.period.zone})`, width: 20, kind: "number", value: timeOf },
        textColumn("Market", 16, ({ market }) => market),
        textColumn("Column", 16, ({ column }) => column),
        { head: "Reason", width: 70, kind: "note", value: ({ reason }) => reason },
        textColumn("Value", 30, ({ value }) => value),
      ],
      groupedBy: [],
      nothing: "There are no exceptions.",
      file: "exceptions.csv",
    },
    first,
    count - first.length,
  );
}

/** A text that is not one of our instants is shown as it is. */
function timeOf({ txCreated }: ExceptionRow): Value {
  const ms = Date.parse(txCreated ?? "");
  return !Number.isNaN(ms) && isoTime(ms) === txCreated ? { ms } : txCreated;
}

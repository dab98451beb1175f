import { isoTime } from "../../../core/time.ts";
import type { ExceptionRow, ExceptionSummary, PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { type Table, TableWriter } from "./table.ts";

/** The first rows of exceptions.csv. */
export function exceptionsTable(context: PackContext, { count, first }: ExceptionSummary): Table {
  const table = new TableWriter<ExceptionRow>({
    ...frameOf(context, "Exceptions", "What a reader of a cell of fills.csv must know."),
    columns: [
      { head: "match_id", width: 20, kind: "text", value: ({ matchId }) => matchId },
      { head: "order_id", width: 20, kind: "text", value: ({ orderId }) => orderId },
      { head: `tx_created (${context.period.zone})`, width: 20, kind: "number", value: timeOf },
      { head: "Market", width: 16, kind: "text", value: ({ market }) => market },
      { head: "Column", width: 16, kind: "text", value: ({ column }) => column },
      { head: "Reason", width: 70, kind: "note", value: ({ reason }) => reason },
      { head: "Value", width: 30, kind: "text", value: ({ value }) => value },
    ],
    groupedBy: [],
    nothing: "There are no exceptions.",
    file: "exceptions.csv",
  });
  for (const row of first) {
    table.add(row);
  }
  return table.finish(count - first.length);
}

/** What is no instant as we write them is shown as it is. */
function timeOf({ txCreated }: ExceptionRow): Value {
  const ms = Date.parse(txCreated ?? "");
  return !Number.isNaN(ms) && isoTime(ms) === txCreated ? { ms } : txCreated;
}

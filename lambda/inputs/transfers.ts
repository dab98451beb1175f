import { currency, nonZero, text, time } from "./cells.ts";
import { type InputFile, TRANSFERS } from "./files.ts";
import { byTime, copied, inputTable, type LineOf, rowsOf } from "./table.ts";

export const TRANSFERS_TABLE = inputTable({
  name: TRANSFERS,
  about: "cash that you moved, positive if deposited, negative if withdrawn",
  columns: { time, currency, amount: nonZero, note: text },
  once: copied("transfer"),
});

/** Cash that came to the venue (positive) or left it; never zero. */
export type Transfer = LineOf<typeof TRANSFERS_TABLE> & { readonly line: number };

export function readTransfers(file: InputFile, zone: string): Transfer[] {
  return byTime(rowsOf(TRANSFERS_TABLE, file, zone).map(({ cells, line }) => ({ ...cells, line })));
}

import { decimal, market, positive, price, side, text, time } from "./cells.ts";
import { ADJUSTMENTS, type InputFile } from "./files.ts";
import { byTime, copied, inputTable, type LineOf, rowsOf } from "./table.ts";

export const ADJUSTMENTS_TABLE = inputTable({
  name: ADJUSTMENTS,
  about: "trades that the venue made without a fill, such as a settlement or a renaming; fee is positive if paid",
  columns: { market, time, side, quantity: positive, price, fee: decimal, note: text },
  once: copied("trade"),
});

/** A trade that the user declares. It is booked like a fill. */
export type Adjustment = LineOf<typeof ADJUSTMENTS_TABLE> & { readonly line: number; readonly where: string };

export function readAdjustments(file: InputFile, zone: string): Adjustment[] {
  return byTime(rowsOf(ADJUSTMENTS_TABLE, file, zone).map(({ cells, ...at }) => ({ ...cells, ...at })));
}

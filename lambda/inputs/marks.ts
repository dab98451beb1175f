import { clockText } from "../core/clock-text.ts";
import { market, price, time } from "./cells.ts";
import { type InputFile, MARKS } from "./files.ts";
import { already, byTime, inputTable, type LineOf, rowsOf } from "./table.ts";

export const MARKS_TABLE = inputTable({
  name: MARKS,
  about: "prices of the period's last day, to value open positions",
  columns: { market, time, price },
  once: (row, zone) =>
    already(`${row.market} ${row.time}`, `gives the price of ${row.market} at ${clockText(row.time, zone)}`),
});

/** The price of one unit of a market's base at a time, in its quote currency. */
export type Mark = LineOf<typeof MARKS_TABLE>;

export function readMarks(file: InputFile, zone: string): Mark[] {
  return byTime(rowsOf(MARKS_TABLE, file, zone).map(({ cells }) => cells));
}

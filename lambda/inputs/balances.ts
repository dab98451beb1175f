import { clockText } from "../core/clock-text.ts";
import { currency, decimal, text, time } from "./cells.ts";
import { BALANCES, type InputFile } from "./files.ts";
import { already, byTime, inputTable, type LineOf, rowsOf } from "./table.ts";

export const BALANCES_TABLE = inputTable({
  name: BALANCES,
  about: "cash according to the venue's statements, for the proof in balance.csv",
  columns: { time, currency, amount: decimal, note: text },
  once: (row, zone) =>
    already(`${row.currency} ${row.time}`, `gives the balance of ${row.currency} at ${clockText(row.time, zone)}`),
});

/** The cash in a currency by a statement of the venue, without the value of open positions. */
export type StatedBalance = LineOf<typeof BALANCES_TABLE>;

export function readBalances(file: InputFile, zone: string): StatedBalance[] {
  return byTime(rowsOf(BALANCES_TABLE, file, zone).map(({ cells }) => cells));
}

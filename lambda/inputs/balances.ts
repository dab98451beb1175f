import type { Amount } from "../core/amount.ts";
import { clockText } from "../core/clock-text.ts";
import { currency, decimal, text, time } from "./cells.ts";
import { BALANCES, type InputFile } from "./files.ts";
import { already, byTime, inputTable, rowsOf } from "./table.ts";

export const BALANCES_TABLE = inputTable({
  name: BALANCES,
  about: "cash according to the venue's statements, for the proof in balance.csv",
  columns: { time, currency, amount: decimal, note: text },
  once: (row, zone) =>
    already(`${row.currency} ${row.time}`, `gives the balance of ${row.currency} at ${clockText(row.time, zone)}`),
});

/** A line of balances.csv: the cash in a currency at a time, by a statement of the venue. */
export interface StatedBalance {
  /** ms UTC */
  readonly time: number;
  readonly currency: string;
  /** Without the value of open positions. */
  readonly amount: Amount;
  /** Names the statement. */
  readonly note: string;
}

export function readBalances(file: InputFile, zone: string): StatedBalance[] {
  return byTime(rowsOf(BALANCES_TABLE, file, zone).map(({ cells }) => cells));
}

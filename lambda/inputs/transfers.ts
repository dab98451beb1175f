import type { Amount } from "../core/amount.ts";
import { currency, nonZero, text, time } from "./cells.ts";
import { type InputFile, TRANSFERS } from "./files.ts";
import { byTime, copied, inputTable, rowsOf } from "./table.ts";

export const TRANSFERS_TABLE = inputTable({
  name: TRANSFERS,
  about: "cash that you moved, positive if deposited, negative if withdrawn",
  columns: { time, currency, amount: nonZero, note: text },
  once: copied("transfer"),
});

/** A line of transfers.csv: cash that came to the venue or left it. */
export interface Transfer {
  /** ms UTC */
  readonly time: number;
  readonly currency: string;
  /** Positive: a deposit; negative: a withdrawal. Never zero. */
  readonly amount: Amount;
  /** What the user says of it. */
  readonly note: string;
  /** Of the file, from 1. */
  readonly line: number;
}

export function readTransfers(file: InputFile, zone: string): Transfer[] {
  return byTime(rowsOf(TRANSFERS_TABLE, file, zone).map(({ cells, line }) => ({ ...cells, line })));
}

import type { Amount } from "../core/amount.ts";
import { currencyAt, nonZeroAt, textAt, timeAt } from "./cells.ts";
import { refuseCopiedLines } from "./copied-lines.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const TRANSFER_COLUMNS = ["time", "currency", "amount", "note"] as const;

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

/**
 * By time; those of one instant in the order of the file. A date is a day of the zone. Throws `usage` with
 * the line.
 */
export function readTransfers(file: InputFile, zone: string): Transfer[] {
  const transfers: Transfer[] = [];
  readTable(file, TRANSFER_COLUMNS, (row) => {
    transfers.push({
      time: timeAt(row, "time", zone),
      currency: currencyAt(row, "currency"),
      amount: nonZeroAt(row, "amount"),
      note: textAt(row, "note"),
      line: row.line,
    });
  });
  transfers.sort((a, b) => a.time - b.time);
  const textOf = ({ currency, amount, note }: Transfer) => `${currency} ${amount} ${note}`;
  refuseCopiedLines(file.name, transfers, textOf, "transfer");
  return transfers;
}

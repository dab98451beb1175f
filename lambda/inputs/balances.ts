import type { Amount } from "../core/amount.ts";
import { clockText } from "../core/clock-text.ts";
import { currencyAt, decimalAt, textAt, timeAt } from "./cells.ts";
import { oncePerKey } from "./copied-lines.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const BALANCE_COLUMNS = ["time", "currency", "amount", "note"] as const;

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

/**
 * Sorted by time; equal times in the order of the file. A date is a day of the zone. Throws `usage` with the
 * line.
 */
export function readBalances(file: InputFile, zone: string): StatedBalance[] {
  const balances: StatedBalance[] = [];
  const once = oncePerKey("gives the balance of");
  readTable(file, BALANCE_COLUMNS, (row) => {
    const balance = {
      time: timeAt(row, "time", zone),
      currency: currencyAt(row, "currency"),
      amount: decimalAt(row, "amount"),
      note: textAt(row, "note"),
    };
    once(row, `${balance.currency} ${balance.time}`, `${balance.currency} at ${clockText(balance.time, zone)}`);
    balances.push(balance);
  });
  return balances.sort((a, b) => a.time - b.time);
}

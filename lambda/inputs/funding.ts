import type { Funding } from "../accounting/booked.ts";
import { currencyAt, decimalAt, marketAt, textAt, timeAt } from "./cells.ts";
import { refuseCopiedLines } from "./copied-lines.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const FUNDING_COLUMNS = ["time", "market", "amount", "currency", "source"] as const;

/** A line of funding.csv. */
export interface FundingPayment extends Funding {
  /** The source, in the user's words. */
  readonly source: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/**
 * Sorted by time; equal times in the order of the file. A date is a day of the zone. Throws `usage` with the
 * line.
 */
export function readFunding(file: InputFile, zone: string): FundingPayment[] {
  const payments: FundingPayment[] = [];
  readTable(file, FUNDING_COLUMNS, (row) => {
    payments.push({
      time: timeAt(row, "time", zone),
      market: marketAt(row, "market"),
      amount: decimalAt(row, "amount"),
      currency: currencyAt(row, "currency"),
      source: textAt(row, "source"),
      line: row.line,
    });
  });
  payments.sort((a, b) => a.time - b.time);
  const textOf = ({ market, amount, currency, source }: FundingPayment) => `${market} ${amount} ${currency} ${source}`;
  refuseCopiedLines(file.name, payments, textOf, "payment");
  return payments;
}

import { amountOf } from "../accounting/amount.ts";
import type { Funding } from "../accounting/tally.ts";
import { FillbookError } from "../core/errors.ts";
import { currencyAt, decimalAt, marketAt, textAt, timeAt } from "./cells.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const FUNDING_COLUMNS = ["time", "market", "amount", "currency", "source"] as const;

/** A line of funding.csv. */
export interface FundingPayment extends Funding {
  /** What the user says that it comes from. */
  readonly source: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/** By time; those of one instant in the order of the file. A date is a day of the zone. Throws `usage` with the line. */
export function readFunding(file: InputFile, zone: string): FundingPayment[] {
  const payments: FundingPayment[] = [];
  readTable(file, FUNDING_COLUMNS, (row) => {
    payments.push({
      time: timeAt(row, "time", zone),
      market: marketAt(row, "market"),
      amount: amountOf(decimalAt(row, "amount")),
      currency: currencyAt(row, "currency"),
      source: textAt(row, "source"),
      line: row.line,
    });
  });
  payments.sort((a, b) => a.time - b.time);
  checkTwins(file.name, payments);
  return payments;
}

/** `payments` by time. Two of one instant that differ in nothing are one that was copied. */
function checkTwins(name: string, payments: readonly FundingPayment[]): void {
  let time = Number.NaN;
  const lines = new Map<string, number>();
  for (const payment of payments) {
    if (payment.time !== time) {
      time = payment.time;
      lines.clear();
    }
    const { market, amount, currency, source, line } = payment;
    const key = `${market} ${amount} ${currency} ${source}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new FillbookError(
        "usage",
        `${name}, line ${line}: it is the same payment as line ${earlier}, and would count twice`,
        { hint: "take one of them out; if both were made, add them up in one line" },
      );
    }
    lines.set(key, line);
  }
}

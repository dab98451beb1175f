import { amountOf } from "../accounting/amount.ts";
import type { Funding } from "../accounting/tally.ts";
import { FillbookError } from "../errors.ts";
import { currencyAt, decimalAt, marketAt, textAt, timeAt } from "./cells.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const FUNDING_COLUMNS = ["time", "market", "amount", "currency", "source"] as const;

/** A line of funding.csv. */
export interface FundingPayment extends Funding {
  /** What the user says that it comes from. */
  readonly source: string;
}

/** By time; those of one instant in the order of the file. Throws `usage` with the line. */
export function readFunding(file: InputFile): FundingPayment[] {
  const payments: FundingPayment[] = [];
  const lines = new Map<string, number>();
  readTable(file, FUNDING_COLUMNS, (row) => {
    const payment = {
      time: timeAt(row, "time"),
      market: marketAt(row, "market"),
      amount: amountOf(decimalAt(row, "amount")),
      currency: currencyAt(row, "currency"),
      source: textAt(row, "source"),
    };
    const key = `${payment.time} ${payment.market} ${payment.amount} ${payment.currency} ${payment.source}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new FillbookError(
        "usage",
        `${row.where}: it is the same payment as line ${earlier}, and would count twice`,
        {
          hint: "take one of them out; if both were made, add them up in one line",
        },
      );
    }
    lines.set(key, row.line);
    payments.push(payment);
  });
  return payments.sort((a, b) => a.time - b.time);
}

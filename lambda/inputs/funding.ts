import type { Funding } from "../accounting/booked.ts";
import { currency, decimal, market, text, time } from "./cells.ts";
import { FUNDING, type InputFile } from "./files.ts";
import { byTime, copied, inputTable, rowsOf } from "./table.ts";

export const FUNDING_TABLE = inputTable({
  name: FUNDING,
  about: "payments, positive if received",
  columns: { time, market, amount: decimal, currency, source: text },
  once: copied("payment"),
});

/** A line of funding.csv. */
export interface FundingPayment extends Funding {
  /** The source, in the user's words. */
  readonly source: string;
  /** Of the file, from 1. */
  readonly line: number;
}

export function readFunding(file: InputFile, zone: string): FundingPayment[] {
  return byTime(rowsOf(FUNDING_TABLE, file, zone).map(({ cells, line }) => ({ ...cells, line })));
}

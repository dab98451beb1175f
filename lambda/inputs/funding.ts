import { currency, decimal, market, text, time } from "./cells.ts";
import { FUNDING, type InputFile } from "./files.ts";
import { byTime, copied, inputTable, type LineOf, rowsOf } from "./table.ts";

export const FUNDING_TABLE = inputTable({
  name: FUNDING,
  about: "payments, positive if received",
  columns: { time, market, amount: decimal, currency, source: text },
  once: copied("payment"),
});

export type FundingPayment = LineOf<typeof FUNDING_TABLE> & { readonly line: number };

export function readFunding(file: InputFile, zone: string): FundingPayment[] {
  return byTime(rowsOf(FUNDING_TABLE, file, zone).map(({ cells, line }) => ({ ...cells, line })));
}

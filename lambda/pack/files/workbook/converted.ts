import type { ConvertedCell, ConvertedStatement, RateUse } from "../../../accounting/rates/converted.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { currencyName, methodNames } from "./labels.ts";
import { type Table, type TableColumn, TableWriter } from "./table.ts";

/** Month × currency, each line converted at its own date: in one currency, so they are added up across what they were settled in. */
export function convertedTable(context: PackContext, { currency, cells }: ConvertedStatement): Table {
  const method = methodNames(context)[context.chosen];
  const table = new TableWriter<ConvertedCell>({
    ...frameOf(
      context,
      "Converted",
      `In ${currency}, by ${method}: each line at the rate of its own date, which realised-pnl.csv gives.`,
    ),
    columns: [
      { head: "Month", width: 10, kind: "text", value: ({ month }) => month },
      { head: "Settled in", width: 12, kind: "text", value: (cell) => currencyName(cell.currency) },
      { id: "currency", head: "Currency", width: 10, kind: "text", value: () => currency },
      amountColumn("Realised gross", ({ gross }) => gross),
      amountColumn("Fees recognised", ({ fees }) => fees),
      amountColumn("Net excl. funding", ({ net }) => net),
      amountColumn("Fees paid", ({ feesPaid }) => feesPaid),
      amountColumn("Rebates", ({ rebates }) => rebates),
      ...(context.funding === null ? [] : [amountColumn("Funding", ({ funding }) => funding)]),
    ],
    groupedBy: ["currency"],
    nothing: "Nothing was converted in the period.",
    file: "realised-pnl.csv",
  });
  for (const cell of cells) {
    table.add(cell);
  }
  return table.finish();
}

function amountColumn(head: string, value: (cell: ConvertedCell) => bigint | null): TableColumn<ConvertedCell> {
  return { head, width: AMOUNT_WIDTH, kind: "number", isSummed: true, value };
}

/** The rates themselves, as the user's files give them. */
export function ratesTable(context: PackContext, { currency, rates }: ConvertedStatement): Table {
  const table = new TableWriter<RateUse>({
    ...frameOf(context, "Rates", `What lines were converted into ${currency} at. The files are under inputs/rates/.`),
    columns: [
      { head: "From", width: 12, kind: "text", value: (use) => use.currency },
      { head: "Into", width: 12, kind: "text", value: () => currency },
      { head: "Rate (text)", width: 30, kind: "text", value: ({ rate }) => rate },
      { head: "Date of the rate", width: 16, kind: "text", value: ({ rateDate }) => rateDate },
      { head: "Lines", width: 9, kind: "number", value: ({ lines }) => lines },
      { head: "Source", width: 60, kind: "note", value: ({ source }) => source },
    ],
    groupedBy: [],
    nothing: "No rate was needed.",
    file: "realised-pnl.csv",
  });
  for (const use of rates) {
    table.add(use);
  }
  return table.finish();
}

import type { ConvertedMonth, ConvertedStatement } from "../../../accounting/rates/converted.ts";
import type { RateUse } from "../../../accounting/rates/uses.ts";
import type { PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { currencyName, methodNames } from "./labels.ts";
import { currencyColumn, type SheetTable, summedColumn, tableOf, textColumn } from "./table.ts";

/**
 * Month × currency, each line converted at its own date. All amounts are in one currency, so they are added
 * across settlement currencies.
 */
export function convertedTable(context: PackContext, { currency, months }: ConvertedStatement): SheetTable {
  const sum = (id: string, head: string, value: (month: ConvertedMonth) => Value) => ({
    ...summedColumn(head, value),
    id,
  });
  const plan = {
    name: "Converted",
    about: `In ${currency}, ${methodNames(context).primary}: each line is converted at the rate of its day, which is in realised-pnl.csv.`,
    columns: [
      textColumn<ConvertedMonth>("Month", 10, ({ month }) => month),
      textColumn<ConvertedMonth>("Settled in", 12, (cell) => currencyName(cell.currency)),
      currencyColumn<ConvertedMonth>(() => currency),
      sum("gross", "Gross PnL", ({ gross }) => gross),
      sum("fees", "Fees on closed positions", ({ fees }) => fees),
      sum("net", "Net PnL excl. funding", ({ net }) => net),
      sum("feesPaid", "Fees paid", ({ feesPaid }) => feesPaid),
      sum("rebates", "Rebates", ({ rebates }) => rebates),
      ...(context.funding === null ? [] : [sum("funding", "Funding", ({ funding }) => funding)]),
    ],
    groupedBy: ["currency"],
    nothing: "Nothing was converted in the period.",
    file: "realised-pnl.csv",
  };
  return tableOf(context, plan, months);
}

/** The rates from the user's files. */
export function ratesTable(context: PackContext, { currency, rates }: ConvertedStatement): SheetTable {
  return tableOf<RateUse>(
    context,
    {
      name: "Rates",
      about: `Exchange rates into ${currency}. The rate files are under inputs/rates/.`,
      columns: [
        textColumn("From", 12, (use) => use.currency),
        textColumn("Into", 12, () => currency),
        textColumn("Rate (text)", 30, ({ rate }) => rate),
        textColumn("Date of the rate", 16, ({ rateDate }) => rateDate),
        { head: "Lines", width: 9, kind: "number", value: ({ lines }) => lines },
        { head: "Source", width: 60, kind: "note", value: ({ source }) => source },
      ],
      groupedBy: [],
      nothing: "No rate was needed.",
      file: "realised-pnl.csv",
    },
    rates,
  );
}

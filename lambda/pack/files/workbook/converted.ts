import type { ConvertedCell, ConvertedStatement, RateUse } from "../../../accounting/rates/converted.ts";
import type { PackContext } from "../../build/maker.ts";
import { currencyName, methodNames } from "./labels.ts";
import { currencyColumn, summedColumn, type Table, tableOf, textColumn } from "./table.ts";

/** Month × currency, each line converted at its own date: in one currency, so they are added up across what they were settled in. */
export function convertedTable(context: PackContext, { currency, cells }: ConvertedStatement): Table {
  const plan = {
    name: "Converted",
    about: `In ${currency}, by ${methodNames(context)[context.chosen]}: each line at the rate of its own date, which realised-pnl.csv gives.`,
    columns: [
      textColumn<ConvertedCell>("Month", 10, ({ month }) => month),
      textColumn<ConvertedCell>("Settled in", 12, (cell) => currencyName(cell.currency)),
      currencyColumn<ConvertedCell>(() => currency),
      summedColumn<ConvertedCell>("Realised gross", ({ gross }) => gross),
      summedColumn<ConvertedCell>("Fees recognised", ({ fees }) => fees),
      summedColumn<ConvertedCell>("Net excl. funding", ({ net }) => net),
      summedColumn<ConvertedCell>("Fees paid", ({ feesPaid }) => feesPaid),
      summedColumn<ConvertedCell>("Rebates", ({ rebates }) => rebates),
      ...(context.funding === null ? [] : [summedColumn<ConvertedCell>("Funding", ({ funding }) => funding)]),
    ],
    groupedBy: ["currency"],
    nothing: "Nothing was converted in the period.",
    file: "realised-pnl.csv",
  };
  return tableOf(context, plan, cells);
}

/** The rates themselves, as the user's files give them. */
export function ratesTable(context: PackContext, { currency, rates }: ConvertedStatement): Table {
  return tableOf<RateUse>(
    context,
    {
      name: "Rates",
      about: `What lines were converted into ${currency} at. The files are under inputs/rates/.`,
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

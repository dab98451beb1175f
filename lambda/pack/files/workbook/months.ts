import { knownSumOf } from "../../../accounting/aggregate.ts";
import type { Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import { type ActivityRow, activityColumns } from "./activity.ts";
import { frameOf } from "./frame.ts";
import { currencyName } from "./labels.ts";
import { currenciesOf, noteOf } from "./sums.ts";
import { type Table, TableWriter } from "./table.ts";

interface MonthRow extends ActivityRow {
  readonly month: string;
  readonly currency: string;
}

/** Every month of the period, for each currency that occurs in it. */
export function monthsTable(context: PackContext, { months, cells, markets }: Statement): Table {
  const table = new TableWriter<MonthRow>({
    ...frameOf(context, "Months", `Calendar months in ${context.period.zone}.`),
    columns: [
      { head: "Month", width: 10, kind: "text", value: ({ month }) => month },
      { id: "currency", head: "Currency", width: 10, kind: "text", value: ({ currency }) => currency },
      ...activityColumns(context),
    ],
    groupedBy: ["currency"],
    nothing: "Nothing happened in the period.",
    file: "summary.csv",
  });
  const hasFunding = context.funding !== null;
  const currencies = currenciesOf(cells, []);
  const byMonth = Map.groupBy(cells, (cell) => cell.month);
  for (const { name: month } of months) {
    for (const currency of currencies) {
      const own = (byMonth.get(month) ?? []).filter((cell) => currencyName(cell.currency) === currency);
      const names = new Set(own.filter(({ blankCloses }) => blankCloses > 0).map(({ market }) => market));
      const sums = knownSumOf(own, hasFunding);
      const note = noteOf(
        sums,
        markets.filter(({ market }) => names.has(market)),
      );
      table.add({ month, currency, sums, note });
    }
  }
  return table.finish();
}

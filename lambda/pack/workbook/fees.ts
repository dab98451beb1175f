import { type Activity, type Cell, LIQUIDITIES, type Liquidity, type Statement } from "../../accounting/statement.ts";
import type { PackContext } from "../maker.ts";
import { AMOUNT_WIDTH } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { type Table, TableWriter } from "./table.ts";
import { currencyName, marketName } from "./words.ts";

interface FeeRow {
  readonly cell: Cell;
  readonly liquidity: Liquidity;
  readonly activity: Activity;
}

/** Month × market × liquidity, where there are fills. */
export function feesTable(context: PackContext, { cells }: Statement): Table {
  const amount = { width: AMOUNT_WIDTH, kind: "number", isSummed: true } as const;
  const table = new TableWriter<FeeRow>({
    ...frameOf(
      context,
      "Fees",
      `When they were paid, by calendar months in ${context.period.zone}; rebates are negative.`,
    ),
    columns: [
      { head: "Month", width: 10, kind: "text", value: ({ cell }) => cell.month },
      { head: "Market", width: 16, kind: "text", value: ({ cell }) => marketName(cell.market) },
      { id: "currency", head: "Currency", width: 10, kind: "text", value: ({ cell }) => currencyName(cell.currency) },
      { head: "Liquidity", width: 10, kind: "text", value: ({ liquidity }) => liquidity },
      { head: "Fills", width: 9, kind: "number", isSummed: true, value: ({ activity }) => activity.fills },
      { ...amount, head: "Volume", value: ({ activity }) => activity.volume },
      { ...amount, head: "Fees paid", value: ({ activity }) => activity.feesPaid },
      { ...amount, head: "Rebates", value: ({ activity }) => activity.rebates },
      { ...amount, head: "Fees less rebates", value: ({ activity }) => activity.feesPaid + activity.rebates },
    ],
    groupedBy: ["currency"],
    nothing: "No fee was paid in the period.",
    file: "fees.csv",
  });
  for (const cell of cells) {
    for (const liquidity of LIQUIDITIES) {
      const activity = cell.activity[liquidity];
      if (activity.fills > 0) {
        table.add({ cell, liquidity, activity });
      }
    }
  }
  return table.finish();
}

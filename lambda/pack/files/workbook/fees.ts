import { feesOf } from "../../../accounting/aggregate.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { basisPoints, type FeeRow, feeRows } from "../csv/fees.ts";
import { convertedHead, currencyName, marketName } from "./labels.ts";
import { amountColumn, currencyColumn, type SheetTable, summedColumn, tableOf, textColumn } from "./table.ts";

/** Month × market × liquidity, if there are fills. */
export function feesTable(context: PackContext, closing: Pick<Closing, "statement" | "converted">): SheetTable {
  const { converted } = closing;
  return tableOf<FeeRow>(
    context,
    {
      name: "Fees",
      about: `Fees and rebates in the month in which they were charged, in ${context.period.zone}, including markets whose PnL is not known. Rebates are negative.`,
      columns: [
        textColumn("Month", 10, ({ marketMonth }) => marketMonth.month),
        textColumn("Market", 16, ({ marketMonth }) => marketName(marketMonth.market)),
        currencyColumn(({ marketMonth }) => currencyName(marketMonth.currency)),
        textColumn("Liquidity", 10, ({ liquidity }) => liquidity),
        { ...summedColumn("Fills", ({ fills }) => fills), width: 9 },
        summedColumn("Volume", ({ activity }) => activity?.volume ?? null),
        summedColumn("Fees paid", ({ activity }) => activity?.feesPaid ?? null),
        summedColumn("Rebates", ({ activity }) => activity?.rebates ?? null),
        summedColumn("Fees less rebates", ({ activity }) => (activity === null ? null : feesOf(activity))),
        ...(converted === null
          ? []
          : [
              summedColumn<FeeRow>(convertedHead("Fees less rebates", converted.currency), (row) =>
                row.converted === null ? null : feesOf(row.converted),
              ),
            ]),
        amountColumn("Basis points of volume", ({ activity }) => {
          const points = activity === null ? null : basisPoints(activity);
          return points === null ? null : { quantity: points };
        }),
      ],
      groupedBy: ["currency"],
      nothing: "No fee was charged in the period.",
      file: "fees.csv",
    },
    feeRows(closing),
  );
}

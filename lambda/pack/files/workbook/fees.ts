import { feesOf } from "../../../accounting/aggregate.ts";
import { divideHalfEven, UNIT } from "../../../accounting/amount.ts";
import { type Activity, type Cell, LIQUIDITIES, type Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { currencyName, marketName } from "./labels.ts";
import { amountColumn, currencyColumn, summedColumn, type Table, tableOf, textColumn } from "./table.ts";

interface FeeRow {
  readonly cell: Cell;
  readonly liquidity: string;
  readonly fills: number;
  /** Null: of fills that cannot be typed. */
  readonly activity: Activity | null;
}

/** Month × market × liquidity, where there are fills. */
export function feesTable(context: PackContext, { cells }: Statement): Table {
  return tableOf<FeeRow>(
    context,
    {
      name: "Fees",
      about: `When they were paid, by calendar months in ${context.period.zone}; rebates are negative.`,
      columns: [
        textColumn("Month", 10, ({ cell }) => cell.month),
        textColumn("Market", 16, ({ cell }) => marketName(cell.market)),
        currencyColumn(({ cell }) => currencyName(cell.currency)),
        textColumn("Liquidity", 10, ({ liquidity }) => liquidity),
        { ...summedColumn("Fills", ({ fills }) => fills), width: 9 },
        summedColumn("Volume", ({ activity }) => activity?.volume ?? null),
        summedColumn("Fees paid", ({ activity }) => activity?.feesPaid ?? null),
        summedColumn("Rebates", ({ activity }) => activity?.rebates ?? null),
        summedColumn("Fees less rebates", ({ activity }) => (activity === null ? null : feesOf(activity))),
        amountColumn("In basis points of volume", ({ activity }) => (activity === null ? null : basisPoints(activity))),
      ],
      groupedBy: ["currency"],
      nothing: "No fee was paid in the period.",
      file: "fees.csv",
    },
    cells.flatMap(rowsOf),
  );
}

function rowsOf(cell: Cell): FeeRow[] {
  const typed = LIQUIDITIES.map((liquidity) => ({ liquidity, activity: cell.activity[liquidity] }));
  return [
    ...typed.map(({ liquidity, activity }) => ({ cell, liquidity, fills: activity.fills, activity })),
    { cell, liquidity: "untyped", fills: cell.untyped, activity: null },
  ].filter(({ fills }) => fills > 0);
}

/** Ten-thousandths, half even at 4 places: for display. */
function basisPoints(activity: Activity): Value {
  const places = 10_000n;
  return activity.volume === 0n
    ? null
    : { quantity: (divideHalfEven(feesOf(activity) * 10_000n * places, activity.volume) * UNIT * UNIT) / places };
}

import { divideHalfEven, UNIT } from "../../../accounting/amount.ts";
import {
  type Activity,
  type Cell,
  LIQUIDITIES,
  type Liquidity,
  type Statement,
} from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH, type Value } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { currencyName, marketName } from "./labels.ts";
import { type Table, TableWriter } from "./table.ts";

interface FeeRow {
  readonly cell: Cell;
  readonly liquidity: Liquidity | "untyped";
  readonly fills: number;
  /** Null: of fills that cannot be typed. */
  readonly activity: Activity | null;
}

/** Month × market × liquidity, where there are fills. */
export function feesTable(context: PackContext, { cells }: Statement): Table {
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
      { head: "Fills", width: 9, kind: "number", isSummed: true, value: ({ fills }) => fills },
      amountColumn("Volume", ({ volume }) => volume),
      amountColumn("Fees paid", ({ feesPaid }) => feesPaid),
      amountColumn("Rebates", ({ rebates }) => rebates),
      amountColumn("Fees less rebates", ({ feesPaid, rebates }) => feesPaid + rebates),
      { ...amountColumn("In basis points of volume", basisPoints), isSummed: false },
    ],
    groupedBy: ["currency"],
    nothing: "No fee was paid in the period.",
    file: "fees.csv",
  });
  for (const cell of cells) {
    for (const liquidity of LIQUIDITIES) {
      const activity = cell.activity[liquidity];
      if (activity.fills > 0) {
        table.add({ cell, liquidity, fills: activity.fills, activity });
      }
    }
    if (cell.untyped > 0) {
      table.add({ cell, liquidity: "untyped", fills: cell.untyped, activity: null });
    }
  }
  return table.finish();
}

function amountColumn(head: string, of: (activity: Activity) => Value) {
  const value = ({ activity }: FeeRow): Value => (activity === null ? null : of(activity));
  return { head, width: AMOUNT_WIDTH, kind: "number", isSummed: true, value } as const;
}

/** Ten-thousandths, half even at 4 places: for display. */
function basisPoints({ feesPaid, rebates, volume }: Activity): Value {
  const places = 10_000n;
  return volume === 0n
    ? null
    : { quantity: (divideHalfEven((feesPaid + rebates) * 10_000n * places, volume) * UNIT * UNIT) / places };
}

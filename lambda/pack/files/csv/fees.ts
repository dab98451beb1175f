import { divideHalfEven, UNIT } from "../../../accounting/amount.ts";
import { type Activity, type Cell, LIQUIDITIES } from "../../../accounting/statement.ts";
import type { FileMaker } from "../../build/maker.ts";
import { amountCell, unitsCell } from "./cells.ts";
import { type CsvColumn, decimal, integer, required, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

interface Row {
  readonly cell: Cell;
  readonly liquidity: string;
  /** Null: of fills that cannot be reckoned with. */
  readonly activity: Activity | null;
}

const COLUMNS: readonly CsvColumn<Row>[] = [
  required(text("month", "2025-03, of the period's zone, as far as the period reaches.", ({ cell }) => cell.month)),
  text("market", "Market name, <BASE>-<QUOTE>.", ({ cell }) => cell.market),
  text("currency", "What the market is settled in, and every amount of the row.", ({ cell }) => cell.currency),
  required(
    text(
      "liquidity",
      "maker, taker, or other: what the service said otherwise, or nothing. untyped: fills that cannot be reckoned with, see exceptions.csv; their amounts are not known.",
      ({ liquidity }) => liquidity,
    ),
  ),
  required(
    integer("fills", "Fills; all rows add up to the rows of fills.csv.", ({ cell, activity }) =>
      String(activity?.fills ?? cell.untyped),
    ),
  ),
  decimal("volume", "Σ price × quantity.", ({ activity }) => amountCell(activity?.volume ?? null)),
  decimal("fees_paid", "Σ fees above zero.", ({ activity }) => amountCell(activity?.feesPaid ?? null)),
  decimal("rebates", "Σ fees below zero: a negative amount.", ({ activity }) => amountCell(activity?.rebates ?? null)),
  decimal("net_fees", "fees_paid + rebates.", ({ activity }) =>
    activity === null ? null : amountCell(activity.feesPaid + activity.rebates),
  ),
  decimal(
    "basis_points_of_volume",
    "net_fees ÷ volume × 10,000, rounded half even to 4 places; empty where there is no volume.",
    ({ activity }) => (activity === null ? null : basisPoints(activity)),
  ),
];

const BASIS_POINTS = 10_000n;
/** 10^4: places of basis_points_of_volume. */
const PLACES = 10_000n;

/** fees.csv: fees by month, market and liquidity. */
export function feesMaker(): FileMaker {
  return new CsvMaker<Row>({
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, each in the month of its fill. That positive fees are paid and that they are in the currency of the market is assumed: the service does not say it. Funding is not in it.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement: { cells } }) => cells.flatMap(rowsOf),
  });
}

function rowsOf(cell: Cell): Row[] {
  const { activity, untyped } = cell;
  const rows = LIQUIDITIES.filter((liquidity) => activity[liquidity].fills > 0).map((liquidity) => ({
    cell,
    liquidity,
    activity: activity[liquidity],
  }));
  return untyped === 0 ? rows : [...rows, { cell, liquidity: "untyped", activity: null }];
}

function basisPoints({ volume, feesPaid, rebates }: Activity): string | null {
  return volume === 0n
    ? null
    : unitsCell(divideHalfEven((feesPaid + rebates) * BASIS_POINTS * PLACES, volume) * (UNIT / PLACES));
}

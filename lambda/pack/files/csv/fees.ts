import { type Amount, divideHalfEven, UNIT } from "../../../accounting/amount.ts";
import { type Activity, type Cell, LIQUIDITIES } from "../../../accounting/statement.ts";
import type { Column, FileMaker } from "../../build/maker.ts";
import type { CsvRow } from "./cells.ts";
import { amountCell, rowOf, unitsCell } from "./cells.ts";
import { CsvMaker } from "./csv-maker.ts";

const COLUMNS = [
  {
    name: "month",
    kind: "text",
    required: true,
    description: "2025-03, of the period's zone, as far as the period reaches.",
  },
  { name: "market", kind: "text", description: "Market name, <BASE>-<QUOTE>." },
  { name: "currency", kind: "text", description: "What the market is settled in, and every amount of the row." },
  {
    name: "liquidity",
    kind: "text",
    required: true,
    description:
      "maker, taker, or other: what the service said otherwise, or nothing. untyped: fills that cannot be reckoned with, see exceptions.csv; their amounts are not known.",
  },
  { name: "fills", kind: "integer", required: true, description: "Fills; all rows add up to the rows of fills.csv." },
  { name: "volume", kind: "decimal", description: "Σ price × quantity." },
  { name: "fees_paid", kind: "decimal", description: "Σ fees above zero." },
  { name: "rebates", kind: "decimal", description: "Σ fees below zero: a negative amount." },
  { name: "net_fees", kind: "decimal", description: "fees_paid + rebates." },
  {
    name: "basis_points_of_volume",
    kind: "decimal",
    description: "net_fees ÷ volume × 10,000, rounded half even to 4 places; empty where there is no volume.",
  },
] as const satisfies readonly Column[];

const BASIS_POINTS = 10_000n;
/** 10^4: places of basis_points_of_volume. */
const PLACES = 10_000n;

/** fees.csv: fees by month, market and liquidity. */
export function feesMaker(): FileMaker {
  return new CsvMaker({
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, each in the month of its fill. That positive fees are paid and that they are in the currency of the market is assumed: the service does not say it. Funding is not in it.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement: { cells } }) => cells.flatMap(rowsOf),
  });
}

function rowsOf(cell: Cell): CsvRow[] {
  const { month, market, currency, activity, untyped } = cell;
  const own = { month, market, currency };
  const rows = LIQUIDITIES.filter((liquidity) => activity[liquidity].fills > 0).map((liquidity) =>
    rowOf(COLUMNS, { ...own, liquidity, ...activityCells(activity[liquidity]) }),
  );
  return untyped === 0 ? rows : [...rows, rowOf(COLUMNS, { ...own, liquidity: "untyped", fills: String(untyped) })];
}

function activityCells({ fills, volume, feesPaid, rebates }: Activity) {
  const net = feesPaid + rebates;
  return {
    fills: String(fills),
    volume: amountCell(volume),
    fees_paid: amountCell(feesPaid),
    rebates: amountCell(rebates),
    net_fees: amountCell(net),
    basis_points_of_volume: volume === 0n ? null : basisPoints(net, volume),
  };
}

function basisPoints(fees: Amount, volume: Amount): string | null {
  return unitsCell(divideHalfEven(fees * BASIS_POINTS * PLACES, volume) * (UNIT / PLACES));
}

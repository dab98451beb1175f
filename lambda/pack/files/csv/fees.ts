import { feesOf } from "../../../accounting/aggregate.ts";
import { divideHalfEven, UNIT } from "../../../accounting/amount.ts";
import { type Activity, LIQUIDITIES, type MarketMonth } from "../../../accounting/statement.ts";
import type { FileMaker } from "../../build/maker.ts";
import { amount, type CsvColumn, integer, REQUIRED, text, units } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** Fills of one market, month and liquidity. */
export interface FeeRow {
  readonly marketMonth: MarketMonth;
  readonly liquidity: string;
  readonly fills: number;
  /** Null: of fills that cannot be reckoned with. */
  readonly activity: Activity | null;
}

const COLUMNS: readonly CsvColumn<FeeRow>[] = [
  text(
    "month",
    "2025-03, of the period's zone, as far as the period reaches.",
    ({ marketMonth }) => marketMonth.month,
    REQUIRED,
  ),
  text("market", "Market name, <BASE>-<QUOTE>.", ({ marketMonth }) => marketMonth.market),
  text(
    "currency",
    "What the market is settled in, and every amount of the row.",
    ({ marketMonth }) => marketMonth.currency,
  ),
  text(
    "liquidity",
    "maker, taker, or other: what the service said otherwise, or nothing. untyped: fills that cannot be reckoned with, see exceptions.csv; their amounts are not known.",
    ({ liquidity }) => liquidity,
    REQUIRED,
  ),
  integer("fills", "Fills; all rows add up to the rows of fills.csv.", ({ fills }) => fills, REQUIRED),
  amount("volume", "Σ price × quantity.", ({ activity }) => activity?.volume),
  amount("fees_paid", "Σ fees above zero.", ({ activity }) => activity?.feesPaid),
  amount("rebates", "Σ fees below zero: a negative amount.", ({ activity }) => activity?.rebates),
  amount("net_fees", "fees_paid + rebates.", ({ activity }) => (activity === null ? null : feesOf(activity))),
  units(
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
  return new CsvMaker<FeeRow>({
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, each in the month of its fill. That positive fees are paid and that they are in the currency of the market is assumed: the service does not say it. Funding is not in it.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement: { marketMonths } }) => feeRows(marketMonths),
  });
}

export function feeRows(marketMonths: readonly MarketMonth[]): FeeRow[] {
  return marketMonths.flatMap((marketMonth) => {
    const { activity, untyped } = marketMonth;
    const typed = LIQUIDITIES.map((one) => ({
      marketMonth,
      liquidity: one,
      fills: activity[one].fills,
      activity: activity[one],
    }));
    return [...typed, { marketMonth, liquidity: "untyped", fills: untyped, activity: null }].filter(
      ({ fills }) => fills > 0,
    );
  });
}

/** × 10^18; null: there is no volume. */
export function basisPoints(activity: Activity): bigint | null {
  return activity.volume === 0n
    ? null
    : divideHalfEven(feesOf(activity) * BASIS_POINTS * PLACES, activity.volume) * (UNIT / PLACES);
}

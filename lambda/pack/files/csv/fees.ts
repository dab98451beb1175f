import { feesOf } from "../../../accounting/aggregate.ts";
import type { ConvertedFees } from "../../../accounting/rates/converted.ts";
import { type Activity, LIQUIDITIES, type Liquidity, type MarketMonth } from "../../../accounting/statement.ts";
import { type Amount, divide, wholeNumber, ZERO } from "../../../core/amount.ts";
import type { Closing, FileMaker } from "../../build/maker.ts";
import { amount, type CsvColumn, integer, REQUIRED, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** The fills of one market, month and liquidity. */
export interface FeeRow {
  readonly marketMonth: MarketMonth;
  readonly liquidity: Liquidity | "untyped";
  readonly fills: number;
  /** Null: the amounts cannot be read. */
  readonly activity: Activity | null;
  /** The same fees, each at the rate of its own day. Null: not known, or nothing is converted. */
  readonly converted: ConvertedFees | null;
}

const COLUMNS: readonly CsvColumn<FeeRow>[] = [
  text(
    "month",
    "Calendar month in the period's time zone, for example 2025-03. The first and last month may be partial.",
    ({ marketMonth }) => marketMonth.month,
    REQUIRED,
  ),
  text("market", "Market name, <BASE>-<QUOTE>.", ({ marketMonth }) => marketMonth.market),
  text(
    "currency",
    "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
    ({ marketMonth }) => marketMonth.currency,
  ),
  text(
    "liquidity",
    "maker, taker, or other (the venue reported something else or nothing). untyped: fills that cannot be read as a trade, see exceptions.csv.",
    ({ liquidity }) => liquidity,
    REQUIRED,
  ),
  integer(
    "fills",
    "Number of fills. All rows together equal the number of rows in fills.csv.",
    ({ fills }) => fills,
    REQUIRED,
  ),
  amount("volume", "Sum of price × quantity.", ({ activity }) => activity?.volume),
  amount("fees_paid", "Fees paid: the sum of fees above zero.", ({ activity }) => activity?.feesPaid),
  amount(
    "rebates",
    "Rebates received: the sum of fees below zero, a negative amount.",
    ({ activity }) => activity?.rebates,
  ),
  amount("net_fees", "fees_paid + rebates.", ({ activity }) => (activity === null ? null : feesOf(activity))),
  amount(
    "basis_points_of_volume",
    "net_fees ÷ volume × 10,000, rounded half even to 4 places. Empty without volume.",
    ({ activity }) => (activity === null ? null : basisPoints(activity)),
  ),
];

const BASIS_POINTS = wholeNumber(10_000);
/** The places of basis_points_of_volume. */
const POINT_PLACES = 4;

function convertedColumns(currency: string): CsvColumn<FeeRow>[] {
  return [
    text("report_currency", "Currency of the converted amounts in the columns that follow.", () => currency, REQUIRED),
    amount(
      "fees_paid_converted",
      "fees_paid, each fee converted at the rate of its day.",
      ({ converted }) => converted?.feesPaid,
    ),
    amount(
      "rebates_converted",
      "rebates, each converted at the rate of its day.",
      ({ converted }) => converted?.rebates,
    ),
    amount("net_fees_converted", "fees_paid_converted + rebates_converted.", ({ converted }) =>
      converted === null ? null : feesOf(converted),
    ),
  ];
}

/**
 * fees.csv: fees by month, market and liquidity. `currency`: the reporting currency; null: nothing is
 * converted.
 */
export function feesMaker(currency: string | null): FileMaker {
  return new CsvMaker<FeeRow>({
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, in the month in which they were charged, including markets whose PnL is not known. The venue does not state the sign or the currency of a fee: a positive fee is assumed to be paid, and fees are assumed to be in the currency of the market. Excludes funding.",
    columns: [...COLUMNS, ...(currency === null ? [] : convertedColumns(currency))],
    keys: ["month", "market", "currency", "liquidity"],
    rowsAtEnd: feeRows,
  });
}

export function feeRows({
  statement: { marketMonths },
  converted,
}: Pick<Closing, "statement" | "converted">): FeeRow[] {
  const keyOf = ({ month, market, currency }: Pick<MarketMonth, "month" | "market" | "currency">) =>
    JSON.stringify([month, market, currency]);
  const convertedBy = new Map((converted?.marketMonths ?? []).map((one) => [keyOf(one), one.byLiquidity]));
  return marketMonths.flatMap((marketMonth) => {
    const { activity, untyped } = marketMonth;
    const own = convertedBy.get(keyOf(marketMonth));
    const typed = LIQUIDITIES.map(
      (one): FeeRow => ({
        marketMonth,
        liquidity: one,
        fills: activity[one].fills,
        activity: activity[one],
        converted: converted === null ? null : (own?.[one] ?? NO_FEES),
      }),
    );
    const unread: FeeRow = { marketMonth, liquidity: "untyped", fills: untyped, activity: null, converted: null };
    return [...typed, unread].filter(({ fills }) => fills > 0);
  });
}

/** Used where nothing was charged, and so nothing was converted. */
const NO_FEES: ConvertedFees = { feesPaid: ZERO, rebates: ZERO };

/** Null: no volume. */
export function basisPoints(activity: Activity): Amount | null {
  return activity.volume.isZero() ? null : divide(feesOf(activity).times(BASIS_POINTS), activity.volume, POINT_PLACES);
}

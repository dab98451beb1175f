import { feesOf, sumOf } from "../../../accounting/aggregate.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { type Amount, totalOf, wholeNumber, ZERO } from "../../../core/amount.ts";
import type { Transfer } from "../../../inputs/transfers.ts";
import type { ImportTotal } from "../imports/import-maker.ts";
import type { RealisedTotals } from "./realised-pnl.ts";

/** Two figures that must be equal, calculated in different ways. */
export interface Control {
  readonly control: string;
  readonly currency: string | null;
  readonly market: string | null;
  readonly method: string | null;
  /** What each side is, in words that lead to the columns. */
  readonly leftIs: string;
  readonly rightIs: string;
  /** The two sides, amounts or numbers of fills; or why they cannot be compared. */
  readonly sides: { readonly left: Amount; readonly right: Amount } | { readonly reason: string };
}

const NOT_OF_A_MARKET = { market: null, method: null } as const;

export function fillsCounted({ marketMonths }: Statement, fills: number): Control {
  const { fills: typed, untyped } = sumOf(marketMonths);
  return {
    ...NOT_OF_A_MARKET,
    control: "fills_counted",
    currency: null,
    leftIs: "number of rows in fills.csv",
    rightIs: "sum of fills in fees.csv (maker + taker + other + untyped)",
    sides: { left: wholeNumber(fills), right: wholeNumber(typed + untyped) },
  };
}

/** The rows of realised-pnl.csv add up to summary.csv. `totals`: by currency. */
export function realisedRows({ marketMonths }: Statement, totals: ReadonlyMap<string, RealisedTotals>): Control[] {
  const currencies = currenciesOf(marketMonths, [...totals.keys()]);
  return currencies.flatMap((currency) => {
    const { gross, fees } = sumOf(marketMonths.filter((one) => one.currency === currency));
    const rows = totals.get(currency);
    const control = (name: string, columns: readonly [string, string], left: Amount | undefined, right: Amount) => ({
      ...NOT_OF_A_MARKET,
      control: name,
      currency,
      leftIs: `sum of ${columns[0]} in realised-pnl.csv`,
      rightIs: `${columns[1]} in summary.csv`,
      sides: { left: left ?? ZERO, right },
    });
    return [
      control("realised_gross", ["gross_pnl", "gross_pnl"], rows?.gross, gross),
      control("realised_fees", ["open_fee + close_fee", "fees_recognised"], rows?.fees, fees),
    ];
  });
}

/**
 * Each import file moves the margin balance by as much as the fills did, as far as PnL is known. `transfers`:
 * of the period; null: no file was given.
 */
export function importCash(
  { marketMonths }: Statement,
  totals: readonly ImportTotal[],
  transfers: readonly Transfer[] | null,
): Control[] {
  const files = [...Map.groupBy(totals, ({ file }) => file)];
  return files.flatMap(([file, own]) =>
    currenciesOf(
      marketMonths,
      [...own, ...(transfers ?? [])].map(({ currency }) => currency),
    ).map((currency) => {
      const transferred = (transfers ?? []).filter((one) => one.currency === currency);
      const settled = sumOf(marketMonths.filter((one) => one.currency === currency));
      const moved = own.filter((one) => one.currency === currency);
      return {
        ...NOT_OF_A_MARKET,
        control: "import_cash",
        currency,
        leftIs: `amounts in less amounts out, in ${file}`,
        rightIs: `gross_pnl − fees_paid − rebates + funding in summary.csv${transfers === null ? "" : ", plus the amounts in transfers.csv"}`,
        sides: {
          left: totalOf(moved, (one) => one.in.minus(one.out)),
          right: settled.gross
            .minus(feesOf(settled))
            .plus(settled.funding ?? ZERO)
            .plus(totalOf(transferred, ({ amount }) => amount)),
        },
      };
    }),
  );
}

/** Includes currencies that only the compared figures have. */
function currenciesOf(marketMonths: Statement["marketMonths"], others: readonly string[]): string[] {
  return [...new Set([...marketMonths.map(({ currency }) => currency), ...others])].sort();
}

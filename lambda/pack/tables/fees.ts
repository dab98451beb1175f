import { byNames, type Kind, projected } from "../../accounting/cube/cell.ts";
import { ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, scopeOf } from "../../accounting/cube/scopes.ts";
import { type Amount, divide, wholeNumber } from "../../core/amount.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { account, CSV_ONLY, currency, market, month, quantity, REQUIRED, reportCurrency, text } from "./column.ts";
import { convertedColumn, figureColumn, lacksIn } from "./figure-column.ts";
import type { Column, SheetTable } from "./table.ts";

/** The order of liquidities. */
const KINDS: readonly (Kind | null)[] = ["maker", "taker", "other", "declared", "untyped"];
const IN_ORDER = byNames(["account", "month", "market", "currency"]);

/** fees.csv: fees by month, market and liquidity. */
export function feesTable({ period, converter }: PackContext): SheetTable<Scope> {
  return {
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, in the month in which they were charged, including markets whose PnL is not known, but not those of inverse contracts. The venue does not state the sign or the currency of a fee: a positive fee is assumed to be paid, and fees are assumed to be in the currency of the market. Excludes funding.",
    columns: [
      ...COLUMNS,
      ...(converter === null ? [] : [reportCurrency<Scope>(converter.to)]),
      ...(["fees_paid", "rebates", "net_fees"] as const).flatMap((key) =>
        converter === null ? [] : convertedColumn(key, converter.to, key === "net_fees" ? {} : CSV_ONLY),
      ),
    ],
    keys: ["account", "month", "market", "currency", "liquidity"],
    sheet: {
      title: "Fees",
      about: `Fees and rebates in the month in which they were charged, in ${period.zone}, including markets whose PnL is not known, but not those of inverse contracts. Rebates are negative.`,
      nothing: "No fee was charged in the period.",
      lacks: lacksIn,
    },
    rows: { atEnd: feeRows },
  };
}

const COLUMNS: readonly Column<Scope>[] = [
  account(({ cell }) => cell.account),
  month(({ cell }) => cell.month),
  market(({ cell }) => cell.market),
  currency(({ cell }) => cell.currency),
  text(
    "liquidity",
    "maker, taker, or other (the venue reported something else or nothing). declared: trades that the user declared in adjustments.csv. untyped: fills that cannot be read as a trade, see exceptions.csv.",
    ({ cell }) => cell.kind,
    { ...REQUIRED, width: 10 },
  ),
  figureColumn("fills"),
  figureColumn("volume"),
  figureColumn("fees_paid"),
  figureColumn("rebates"),
  figureColumn("net_fees"),
  quantity(
    "basis_points_of_volume",
    "net_fees ÷ volume × 10,000, rounded half even to 4 places. Empty without volume.",
    basisPoints,
  ),
];

function feeRows({ sums }: Pick<Closing, "sums">): Scope[] {
  return projected(sums.cells, ["account", "month", "market", "currency", "kind"])
    .filter(({ fills, untyped }) => fills + untyped > 0)
    .toSorted((a, b) => IN_ORDER(a, b) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    .map((cell) => scopeOf(cell));
}

const TEN_THOUSAND = wholeNumber(10_000);
const POINT_PLACES = 4;

/** Null: no volume. */
function basisPoints(row: Scope): Amount | null {
  const [fees, volume] = [ownOf("net_fees", row).amount, ownOf("volume", row).amount];
  return fees === null || volume === null || volume.isZero()
    ? null
    : divide(fees.times(TEN_THOUSAND), volume, POINT_PLACES);
}

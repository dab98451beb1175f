import type { Kind } from "../../accounting/cube/cell.ts";
import { ownOf } from "../../accounting/cube/figures.ts";
import { byNames, projected } from "../../accounting/cube/project.ts";
import { type Scope, scopeOf } from "../../accounting/cube/scopes.ts";
import { type Amount, divide, wholeNumber } from "../../core/amount.ts";
import type { Closing, PackContext } from "../build/maker.ts";
import { convertedColumn, figureColumn } from "./figure-column.ts";
import type { Column, Table } from "./table.ts";

type Row = Scope;

/** The order of liquidities. */
const KINDS: readonly (Kind | null)[] = ["maker", "taker", "other", "untyped"];
const BY_MARKET = byNames(["month", "market", "currency"]);

/** Fees by month, market and liquidity. `currency`: the reporting currency; null: nothing is converted. */
export function feesTable({ period }: PackContext, currency: string | null): Table<Row> {
  return {
    path: "fees.csv",
    description:
      "Fees and rebates by month, market and liquidity, in the month in which they were charged, including markets whose PnL is not known. The venue does not state the sign or the currency of a fee: a positive fee is assumed to be paid, and fees are assumed to be in the currency of the market. Excludes funding.",
    title: "Fees",
    about: `Fees and rebates in the month in which they were charged, in ${period.zone}, including markets whose PnL is not known. Rebates are negative.`,
    columns: [...COLUMNS, ...(currency === null ? [] : inReport(currency))],
    keys: ["month", "market", "currency", "liquidity"],
    nothing: "No fee was charged in the period.",
    rows: feeRows,
  };
}

const COLUMNS: readonly Column<Row>[] = [
  {
    ...{ key: "month", head: "Month", type: "text", width: 10, isRequired: true, of: ({ cell }) => cell.month },
    meaning: "Calendar month in the period's time zone, for example 2025-03. The first and last month may be partial.",
  },
  {
    ...{ key: "market", head: "Market", type: "text", empty: "no market", of: ({ cell }) => cell.market },
    meaning: "Market name, <BASE>-<QUOTE>.",
  },
  {
    ...{
      key: "currency",
      head: "Currency",
      type: "text",
      empty: "not known",
      width: 10,
      of: ({ cell }) => cell.currency,
    },
    meaning: "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
  },
  {
    ...{ key: "liquidity", head: "Liquidity", type: "text", width: 10, isRequired: true, of: ({ cell }) => cell.kind },
    meaning:
      "maker, taker, or other (the venue reported something else or nothing). untyped: fills that cannot be read as a trade, see exceptions.csv.",
  },
  figureColumn("fills"),
  figureColumn("volume"),
  figureColumn("fees_paid"),
  figureColumn("rebates"),
  figureColumn("net_fees"),
  {
    ...{ key: "basis_points_of_volume", head: "Basis points of volume", type: "quantity", of: basisPoints },
    meaning: "net_fees ÷ volume × 10,000, rounded half even to 4 places. Empty without volume.",
  },
];

function inReport(currency: string): Column<Row>[] {
  return [
    {
      ...{ key: "report_currency", head: "Report currency", type: "text", only: "csv", isRequired: true },
      ...{ meaning: "Currency of the converted amounts in the columns that follow.", of: () => currency },
    },
    ...(["fees_paid", "rebates"] as const).flatMap((key) =>
      convertedColumn(key, currency).map((column): Column<Row> => ({ ...column, only: "csv" })),
    ),
    ...convertedColumn("net_fees", currency),
  ];
}

function feeRows({ sums }: Pick<Closing, "sums">): Row[] {
  return projected(sums.cells, ["month", "market", "currency", "kind"])
    .filter(({ fills, untyped }) => fills + untyped > 0)
    .toSorted((a, b) => BY_MARKET(a, b) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    .map(scopeOf);
}

const TEN_THOUSAND = wholeNumber(10_000);
const POINT_PLACES = 4;

/** Null: no volume. */
function basisPoints(row: Row): Amount | null {
  const [fees, volume] = [ownOf("net_fees", row).amount, ownOf("volume", row).amount];
  return fees === null || volume === null || volume.isZero()
    ? null
    : divide(fees.times(TEN_THOUSAND), volume, POINT_PLACES);
}

import {
  comparedOf,
  convertedOf,
  FIGURES,
  type Figure,
  type FigureKey,
  isComplete,
  ownOf,
} from "../../../accounting/cube/figures.ts";
import { type Scope, type ScopeName, scopesOf } from "../../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, methodPrefix, REQUIRED, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

type Row = Scope;

const MONTH = text<Row>(
  "month",
  "Calendar month in the period's time zone, for example 2025-03. The first and last month may be partial.",
  ({ cell }) => cell.month,
  REQUIRED,
);
const MARKET = text<Row>("market", "Market name, <BASE>-<QUOTE>.", ({ cell }) => cell.market);
const CURRENCY = text<Row>(
  "currency",
  "Currency of every amount in the row except converted amounts. No row adds amounts of two currencies.",
  ({ cell }) => cell.currency,
);

interface SummaryFile {
  readonly path: string;
  readonly description: string;
  readonly names: readonly CsvColumn<Row>[];
  /** The order of its rows. */
  readonly order: readonly ScopeName[];
}

const TOTALS_TO = "The rows add up to summary.csv, so use only one of these files for totals.";

const FILES: readonly SummaryFile[] = [
  {
    path: "summary.csv",
    description:
      "Totals of the period: one row for each settlement currency. The last columns have the results of the comparison method, with its name as a prefix.",
    names: [CURRENCY],
    order: ["currency"],
  },
  {
    path: "summary-months.csv",
    description: `Totals by calendar month: one row for each month and settlement currency. ${TOTALS_TO}`,
    names: [MONTH, CURRENCY],
    order: ["currency", "month"],
  },
  {
    path: "summary-markets.csv",
    description: `Totals by market: one row for each market, and another row for each other currency in which it had funding. ${TOTALS_TO}`,
    names: [MARKET, CURRENCY],
    order: ["market", "currency"],
  },
  {
    path: "summary-market-months.csv",
    description: `Totals by market and calendar month. ${TOTALS_TO}`,
    names: [MONTH, MARKET, CURRENCY],
    order: ["market", "month", "currency"],
  },
];

const COMMON =
  "PnL is by the chosen method. Amounts exclude funding, except in columns with funding in their name. An amount that is not known is empty, never 0.";

/** Figures that other files have. */
const ELSEWHERE: readonly FigureKey[] = ["unreadable_fills", "gains", "losses", "gain_rows", "loss_rows", "net_fees"];
const SHOWN = FIGURES.filter(({ key }) => !ELSEWHERE.includes(key));

function ownColumns({ methods }: PackContext): CsvColumn<Row>[] {
  return [
    text("method", "The chosen cost method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    ...SHOWN.map(({ key, meaning, unit }) => ({
      ...amount<Row>(key, meaning, (row) => ownOf(key, row).amount),
      ...(unit === "count" ? { kind: "integer" as const, ...REQUIRED } : {}),
    })),
    text(
      "is_complete",
      "yes, or no: fills are missing (a declared break), or a PnL or an amount carried at the start or the end is not known; exceptions.csv says why.",
      (row) => (isComplete(row) ? "yes" : "no"),
      REQUIRED,
    ),
  ];
}

/** Sums of lines, each converted at the rate of its own day. */
function convertedColumns(currency: string, { funding }: PackContext): CsvColumn<Row>[] {
  const shown = SHOWN.filter(({ key }) => funding !== null || (!key.includes("incl_funding") && key !== "funding"));
  return [
    text("report_currency", "Currency of the converted amounts in the columns that follow.", () => currency, REQUIRED),
    ...shown.flatMap(({ key, converted }: Figure<FigureKey>) => {
      const [name, meaning] = converted ?? [];
      return name === undefined || meaning === undefined
        ? []
        : [amount<Row>(name, meaning, (row) => convertedOf(key, row)?.amount)];
    }),
  ];
}

/** The totals under the method for comparison. Empty where those of the chosen method are. */
function comparedColumns({ methods }: PackContext): CsvColumn<Row>[] {
  const prefix = methodPrefix(methods.reference);
  const by = `By ${METHOD_NAMES[methods.reference]}, for comparison.`;
  const column = (key: FigureKey, meaning: string) =>
    amount<Row>(`${prefix}${key}`, `${meaning}. ${by}`, (row) => comparedOf(key, row).amount);
  return [
    column("gross_pnl", "gross_pnl"),
    column("fees_recognised", "fees_recognised"),
    column("realised_pnl_net_of_fees_excl_funding", `${prefix}gross_pnl − ${prefix}fees_recognised`),
  ];
}

/** The summary files, one for each scope. `currency`: the reporting currency; null: nothing is converted. */
export function summaryMakers(context: PackContext, currency: string | null): FileMaker[] {
  return FILES.map(
    ({ path, description, names, order }) =>
      new CsvMaker<Row>({
        path,
        description: `${description} ${COMMON}`,
        columns: [
          ...names,
          ...ownColumns(context),
          ...(currency === null ? [] : convertedColumns(currency, context)),
          ...(path === "summary.csv" ? comparedColumns(context) : []),
        ],
        keys: names.map(({ name }) => name),
        rowsAtEnd: ({ sums }) => scopesOf(sums, order),
      }),
  );
}

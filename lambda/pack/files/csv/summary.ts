import { knownSumOf } from "../../../accounting/aggregate.ts";
import { ZERO } from "../../../core/amount.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { type CsvColumn, REQUIRED, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";
import { comparedColumns, type SummaryRow, summaryColumns } from "./summary-columns.ts";
import { type SummaryLines, summaryLines } from "./summary-lines.ts";

type Row = SummaryRow;

const MONTH = text<Row>(
  "month",
  "Calendar month in the period's time zone, for example 2025-03. The first and last month may be partial.",
  ({ line }) => line.month,
  REQUIRED,
);
const MARKET = text<Row>("market", "Market name, <BASE>-<QUOTE>.", ({ line }) => line.market);
const CURRENCY = text<Row>(
  "currency",
  "Currency of every amount in the row except converted amounts. No row adds amounts of two currencies.",
  ({ line }) => line.currency,
);

interface SummaryFile {
  readonly path: string;
  readonly description: string;
  readonly names: readonly CsvColumn<Row>[];
  readonly lines: keyof SummaryLines;
}

const TOTALS_TO = "The rows add up to summary.csv, so use only one of these files for totals.";

const FILES: readonly SummaryFile[] = [
  {
    path: "summary.csv",
    description:
      "Totals of the period: one row for each settlement currency. The last columns have the results of the comparison method, with its name as a prefix.",
    names: [CURRENCY],
    lines: "totals",
  },
  {
    path: "summary-months.csv",
    description: `Totals by calendar month: one row for each month and settlement currency. ${TOTALS_TO}`,
    names: [MONTH, CURRENCY],
    lines: "months",
  },
  {
    path: "summary-markets.csv",
    description: `Totals by market: one row for each market, and another row for each other currency in which it had funding. ${TOTALS_TO}`,
    names: [MARKET, CURRENCY],
    lines: "markets",
  },
  {
    path: "summary-market-months.csv",
    description: `Totals by market and calendar month. ${TOTALS_TO}`,
    names: [MONTH, MARKET, CURRENCY],
    lines: "marketMonths",
  },
];

const COMMON =
  "PnL is by the chosen method. Amounts exclude funding, except in columns with funding in their name. An amount that is not known is empty, never 0.";

const NOTHING = { gross: ZERO, fees: ZERO };

/** The summary files, one for each scope. `currency`: the reporting currency; null: nothing is converted. */
export function summaryMakers(context: PackContext, currency: string | null): FileMaker[] {
  const linesOf = memoizeLast((closing: Closing) => summaryLines(closing));
  return FILES.map(
    ({ path, description, names, lines }) =>
      new CsvMaker<Row>({
        path,
        description: `${description} ${COMMON}`,
        columns: [
          ...names,
          ...summaryColumns(context, currency),
          ...(lines === "totals" ? comparedColumns(context) : []),
        ],
        keys: names.map(({ name }) => name),
        rowsAtEnd: (closing) =>
          linesOf(closing)[lines].map((line) => ({
            line,
            sums: knownSumOf(line.marketMonths, context.funding !== null),
            compared: closing.statement.compared.get(line.currency) ?? NOTHING,
          })),
      }),
  );
}

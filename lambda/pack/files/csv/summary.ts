import { knownSumOf } from "../../../accounting/aggregate.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { type CsvColumn, REQUIRED, text } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";
import { type SummaryRow, summaryColumns } from "./summary-columns.ts";
import { type SummaryLines, summaryLines } from "./summary-lines.ts";

type Row = SummaryRow;

const MONTH = text<Row>(
  "month",
  "2025-03, of the period's zone, as far as the period reaches.",
  ({ line }) => line.month,
  REQUIRED,
);
const MARKET = text<Row>("market", "Market name, <BASE>-<QUOTE>.", ({ line }) => line.market);
const CURRENCY = text<Row>(
  "currency",
  "Of every amount of the row but the converted ones. No row adds two currencies.",
  ({ line }) => line.currency,
);

interface SummaryFile {
  readonly path: string;
  readonly description: string;
  readonly names: readonly CsvColumn<Row>[];
  readonly lines: keyof SummaryLines;
}

const TOTALS_TO = "Its rows add up to those of summary.csv: add up one file only.";

const FILES: readonly SummaryFile[] = [
  {
    path: "summary.csv",
    description: "Totals of the period: one row for each settlement currency.",
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
    description: `Totals by market: one row for each market, and one more for each other currency in which it had funding. ${TOTALS_TO}`,
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
  "The figures of the chosen method come first; those of the other method follow in columns with its name. Excluding funding, except in the columns that name it. An amount that is not known is empty, never 0.";

/** The summary files, one for each scope. `currency`: the reporting currency; null: nothing is converted. */
export function summaryMakers(context: PackContext, currency: string | null): FileMaker[] {
  const linesOf = memoizeLast((closing: Closing) => summaryLines(closing));
  return FILES.map(
    ({ path, description, names, lines }) =>
      new CsvMaker<Row>({
        path,
        description: `${description} ${COMMON}`,
        columns: [...names, ...summaryColumns(context, currency)],
        keys: names.map(({ name }) => name),
        rowsAtEnd: (closing) =>
          linesOf(closing)[lines].map((line) => ({
            line,
            sums: knownSumOf(line.marketMonths, context.funding !== null),
          })),
      }),
  );
}

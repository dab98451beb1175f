import { csvCell, FILL_COLUMNS, rowOf } from "../fills/columns.ts";
import { extraCell } from "../fills/extra.ts";
import { csvBatch, csvHeader } from "../formats/csv.ts";
import type { ParquetColumn } from "../formats/parquet/table.ts";
import { type ParquetStream, streamParquet } from "../formats/parquet.ts";
import type { Fill } from "../model/fill.ts";
import type { Period } from "../model/period.ts";
import type { Basis } from "./basis.ts";
import type { PackFileWriter } from "./files.ts";
import type { FileFacts } from "./maker.ts";
import { MonthTally } from "./months.ts";

/** Cells of so many rows at once: short-lived, so that the garbage collector has little to carry on. */
const CSV_ROWS = 500;

export const EXTRA_COLUMN = {
  name: "extra",
  kind: "text",
  repeats: true,
  description:
    "JSON of what the columns cannot hold: unknown and wrongly typed fields under the service's names, and the exact text of values whose cell is empty or not exact.",
} as const;

/** fills.parquet: the contract's columns and `extra`. */
export const PARQUET_COLUMNS: readonly ParquetColumn[] = [...FILL_COLUMNS, EXTRA_COLUMN];

const KEYS = ["match_id", "order_id"];

export const FILLS_CSV: FileFacts = {
  path: "fills.csv",
  description:
    "One row a fill. Numbers are written as the service gave them. Text that a spreadsheet would run as a formula begins with an apostrophe; completeness.json counts such cells.",
  mediatype: "text/csv",
  columns: FILL_COLUMNS,
  keys: KEYS,
};

export const FILLS_PARQUET: FileFacts = {
  path: "fills.parquet",
  description: "The same rows, typed: amounts DECIMAL(38,18), times TIMESTAMP(ms, UTC).",
  mediatype: "application/vnd.apache.parquet",
  format: "parquet",
  columns: [...FILL_COLUMNS, EXTRA_COLUMN],
  keys: KEYS,
};

export interface TableFiles {
  readonly csv: PackFileWriter;
  readonly parquet: PackFileWriter;
}

export interface TableTotals {
  fills: number;
  /** Cells of fills.csv that got a leading apostrophe. */
  neutralised: number;
}

/** Writes the tables of a pack side by side, batch by batch. */
export class FillTables {
  readonly totals: TableTotals = { fills: 0, neutralised: 0 };
  readonly tally: MonthTally;
  readonly #account: string;
  readonly #files: TableFiles;
  readonly #parquet: ParquetStream;

  constructor(account: string, period: Period, basis: Basis, files: TableFiles) {
    this.tally = new MonthTally(period, basis);
    this.#account = account;
    this.#files = files;
    this.#parquet = streamParquet(PARQUET_COLUMNS, (chunk) => files.parquet.write(chunk));
  }

  async begin(): Promise<void> {
    await this.#files.csv.write(csvHeader(FILL_COLUMNS.map(({ name }) => name)));
  }

  async write(fills: readonly Fill[]): Promise<void> {
    const rows = fills.map((fill) => rowOf(this.#account, fill));
    for (let start = 0; start < rows.length; start += CSV_ROWS) {
      const cells = rows
        .slice(start, start + CSV_ROWS)
        .map((row) => FILL_COLUMNS.map((column) => csvCell(column, row)));
      await this.#writeCsv(cells);
    }
    const table = [...FILL_COLUMNS.map((column) => rows.map((row) => column.value(row))), rows.map(extraCell)];
    await this.#parquet.write(table);
    this.tally.add(fills, table);
    this.totals.fills += fills.length;
  }

  /** Writes what follows the last row; the files are still to be finished. */
  async end(): Promise<void> {
    await this.#parquet.finish();
  }

  async #writeCsv(rows: readonly (readonly (string | null)[])[]): Promise<void> {
    const { text, neutralised } = csvBatch(rows);
    this.totals.neutralised += neutralised;
    await this.#files.csv.write(text);
  }
}

import { CELL_COLUMNS, FillCells } from "../fills/cells.ts";
import { csvCells, FILL_COLUMNS, rowOf } from "../fills/columns.ts";
import { csvBatch, csvHeader } from "../formats/csv.ts";
import { type ParquetStream, streamParquet } from "../formats/parquet.ts";
import type { Fill } from "../model/fill.ts";
import type { Period } from "../model/period.ts";
import type { Basis } from "./basis.ts";
import type { PackFileWriter } from "./files.ts";
import type { FileFacts } from "./maker.ts";
import { MonthTally } from "./months.ts";

/** So many at once: what is only made for their cells is short-lived, and the garbage collector has little to carry on. */
const FILLS_AT_ONCE = 500;

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
  columns: CELL_COLUMNS,
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
  readonly #csvCells = csvCells();

  constructor(account: string, period: Period, basis: Basis, files: TableFiles) {
    this.tally = new MonthTally(period, basis);
    this.#account = account;
    this.#files = files;
    this.#parquet = streamParquet(CELL_COLUMNS, (chunk) => files.parquet.write(chunk));
  }

  async begin(): Promise<void> {
    await this.#files.csv.write(csvHeader(FILL_COLUMNS.map(({ name }) => name)));
  }

  async write(fills: readonly Fill[]): Promise<void> {
    const cells = new FillCells(fills.length);
    for (let from = 0; from < fills.length; from += FILLS_AT_ONCE) {
      const some = fills.slice(from, from + FILLS_AT_ONCE);
      const rows = some.map((fill) => rowOf(this.#account, fill));
      const { text, neutralised } = csvBatch(rows.map(this.#csvCells));
      this.totals.neutralised += neutralised;
      await this.#files.csv.write(text);
      cells.add(rows);
      this.tally.add(rows, cells.table, from);
    }
    await this.#parquet.write(cells.table);
    this.totals.fills += fills.length;
  }

  /** Writes what follows the last row; the files are still to be finished. */
  async end(): Promise<void> {
    await this.#parquet.finish();
  }
}

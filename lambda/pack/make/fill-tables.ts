import type { Booked } from "../../accounting/booked.ts";
import type { Period } from "../../core/period.ts";
import { csvBatch, csvHeader } from "../../formats/csv.ts";
import { CELL_COLUMNS, cellsOf, csvCells, FILL_COLUMNS, rowOf } from "../../formats/fill-columns.ts";
import { ParquetFile } from "../../formats/parquet.ts";
import type { DateBy } from "./date-by.ts";
import type { FileFacts } from "./maker.ts";
import { MonthTally } from "./months.ts";
import type { PackFileWriter } from "./pack-files.ts";

const KEYS = ["match_id", "order_id"];

export const FILLS_CSV: FileFacts = {
  path: "fills.csv",
  description:
    "One row for each fill. Numbers are written as the venue gave them. Text that a spreadsheet would run as a formula begins with an apostrophe; completeness.json has the number of these cells.",
  mediatype: "text/csv",
  columns: FILL_COLUMNS,
  keys: KEYS,
};

export const FILLS_PARQUET: FileFacts = {
  path: "fills.parquet",
  description: "The same rows with typed columns: amounts as DECIMAL(38,18), times as TIMESTAMP(ms, UTC).",
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
  /** The number of cells in fills.csv that got a leading apostrophe. */
  escaped: number;
}

/** Writes the tables of a pack side by side. */
export class FillTables {
  readonly totals: TableTotals = { fills: 0, escaped: 0 };
  readonly tally: MonthTally;
  readonly #files: TableFiles;
  readonly #parquet = new ParquetFile(CELL_COLUMNS);
  readonly #csvCells = csvCells();

  constructor(period: Period, basis: DateBy, files: TableFiles) {
    this.tally = new MonthTally(period, basis);
    this.#files = files;
  }

  async begin(): Promise<void> {
    await this.#files.csv.write(csvHeader(FILL_COLUMNS.map(({ name }) => name)));
  }

  /**
   * Writes some tens of fills at once, so that what is made for their cells is short-lived and cheap to
   * collect.
   */
  async write(account: string, booked: readonly Pick<Booked, "fill" | "trade">[]): Promise<void> {
    const lines: (readonly (string | null)[])[] = [];
    for (const { fill, trade } of booked) {
      const row = rowOf(account, fill, trade);
      lines.push(this.#csvCells(row));
      this.tally.add(fill);
      this.#parquet.add(cellsOf(row));
      this.totals.fills += 1;
    }
    await this.#files.parquet.write(this.#parquet.take());
    const { text, escaped } = csvBatch(lines);
    this.totals.escaped += escaped;
    await this.#files.csv.write(text);
  }

  /** Writes what follows the last row. The files are not finished yet. */
  async end(): Promise<void> {
    this.#parquet.end();
    await this.#files.parquet.write(this.#parquet.take());
  }
}

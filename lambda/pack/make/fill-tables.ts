import type { Booked } from "../../accounting/booked.ts";
import { monthsOf, type Period } from "../../core/period.ts";
import { rangeFinder } from "../../core/ranges.ts";
import { csvBatch, csvHeader } from "../../formats/csv.ts";
import { CELL_COLUMNS, cellsOf, csvCells, FILL_COLUMNS, rowOf } from "../../formats/fill-columns.ts";
import { ParquetFile } from "../../formats/parquet.ts";
import type { DateBy } from "./date-by.ts";
import type { FileFacts, MonthTotals } from "./maker.ts";
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

/** Writes the tables of a pack side by side. */
export class FillTables {
  fills = 0;
  /** The number of cells in fills.csv that got a leading apostrophe. */
  escaped = 0;
  readonly months: readonly Readonly<MonthTotals>[];
  readonly #monthAt: (time: number) => MonthTotals;
  readonly #timeOf: DateBy["timeOf"];
  readonly #files: TableFiles;
  readonly #parquet = new ParquetFile(CELL_COLUMNS);
  readonly #csvCells = csvCells();

  constructor(period: Period, basis: DateBy, files: TableFiles) {
    const months = monthsOf(period).map((month): MonthTotals => ({ ...month, rows: 0, first: null, last: null }));
    this.months = months;
    this.#monthAt = rangeFinder(months);
    this.#timeOf = basis.timeOf;
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
      this.#count(this.#timeOf(fill));
      this.#parquet.add(cellsOf(row));
    }
    await this.#files.parquet.write(this.#parquet.take());
    const { text, escaped } = csvBatch(lines);
    this.escaped += escaped;
    await this.#files.csv.write(text);
  }

  /** A fill of the period, not earlier than the one before. */
  #count(time: number): void {
    const month = this.#monthAt(time);
    month.rows += 1;
    month.first ??= time;
    month.last = time;
    this.fills += 1;
  }

  /** Writes what follows the last row. The files are not finished yet. */
  async end(): Promise<void> {
    this.#parquet.end();
    await this.#files.parquet.write(this.#parquet.take());
  }
}

import { csvCell, FILL_COLUMNS, type FillRow, rowOf } from "../fills/columns.ts";
import { exceptionsOfRow, type FillException } from "../fills/exceptions.ts";
import { extraCell } from "../fills/extra.ts";
import { csvBatch, csvHeader } from "../formats/csv.ts";
import { type ParquetColumn, type ParquetStream, streamParquet } from "../formats/parquet.ts";
import type { Fill } from "../model/fill.ts";
import type { Period } from "../model/period.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import type { PackFileWriter } from "./files.ts";
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

export const EXCEPTION_COLUMNS = [
  { name: "match_id", kind: "text", description: "The fill's match." },
  { name: "order_id", kind: "text", description: "The fill's order." },
  { name: "tx_created", kind: "time", description: "When its transaction was created, UTC." },
  { name: "market", kind: "text", description: "Its market." },
  { name: "column", kind: "text", description: "The column of fills.csv that is meant." },
  { name: "reason", kind: "text", description: "What a reader of that cell must know." },
  { name: "value", kind: "text", description: "What the service sent, as text; empty when it sent nothing." },
] as const;

export interface TableFiles {
  readonly csv: PackFileWriter;
  readonly parquet: PackFileWriter;
  readonly exceptions: PackFileWriter;
}

export interface TableTotals {
  fills: number;
  /** Fills that are listed in exceptions.csv, and its rows. */
  fillsWithExceptions: number;
  exceptions: number;
  /** Cells of the CSV files that got a leading apostrophe. */
  neutralised: number;
}

/** Writes the tables of a pack side by side, batch by batch. */
export class FillTables {
  readonly totals: TableTotals = { fills: 0, fillsWithExceptions: 0, exceptions: 0, neutralised: 0 };
  readonly tally: MonthTally;
  readonly #account: string;
  readonly #period: TimeRange;
  readonly #files: TableFiles;
  readonly #parquet: ParquetStream;

  constructor(account: string, period: Period, files: TableFiles) {
    this.tally = new MonthTally(period);
    this.#account = account;
    this.#period = period;
    this.#files = files;
    this.#parquet = streamParquet(PARQUET_COLUMNS, (chunk) => files.parquet.write(chunk));
  }

  async begin(): Promise<void> {
    await this.#files.csv.write(csvHeader(FILL_COLUMNS.map(({ name }) => name)));
    await this.#files.exceptions.write(csvHeader(EXCEPTION_COLUMNS.map(({ name }) => name)));
  }

  async write(fills: readonly Fill[]): Promise<void> {
    const rows = fills.map((fill) => rowOf(this.#account, fill));
    for (let start = 0; start < rows.length; start += CSV_ROWS) {
      const cells = rows
        .slice(start, start + CSV_ROWS)
        .map((row) => FILL_COLUMNS.map((column) => csvCell(column, row)));
      await this.#writeCsv(this.#files.csv, cells);
    }
    const table = [...FILL_COLUMNS.map((column) => rows.map((row) => column.value(row))), rows.map(extraCell)];
    await this.#parquet.write(table);
    this.tally.add(fills, table);
    await this.#writeCsv(
      this.#files.exceptions,
      rows.flatMap((row) => this.#exceptionRows(row)),
    );
    this.totals.fills += fills.length;
  }

  /** Writes what follows the last row; the files are still to be finished. */
  async end(): Promise<void> {
    await this.#parquet.finish();
  }

  async #writeCsv(file: PackFileWriter, rows: readonly (readonly (string | null)[])[]): Promise<void> {
    const { text, neutralised } = csvBatch(rows);
    this.totals.neutralised += neutralised;
    if (text !== "") {
      await file.write(text);
    }
  }

  #exceptionRows(row: FillRow): (string | null)[][] {
    const { fill } = row;
    const found = [...exceptionsOfRow(row), ...cutOff(fill, this.#period)];
    this.totals.fillsWithExceptions += found.length === 0 ? 0 : 1;
    this.totals.exceptions += found.length;
    return found.map(({ column, reason, value }) => [
      fill.matchId,
      fill.orderId,
      isoTime(fill.txCreated),
      fill.market,
      column,
      reason,
      value,
    ]);
  }
}

/** Auditors test the cut-off: a fill whose two times lie on different sides of a border of the period. */
function cutOff(fill: Fill, period: TimeRange): FillException[] {
  const inside = period.from <= fill.txCreated && fill.txCreated < period.to;
  return inside
    ? []
    : [
        {
          column: "tx_created",
          reason: "cut-off: filled in the period, but its transaction was created outside of it",
          value: isoTime(fill.txCreated),
        },
      ];
}

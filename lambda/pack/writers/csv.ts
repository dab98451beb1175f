import type { CubeDay } from "../../accounting/cube/cube.ts";
import type { Posted } from "../../accounting/posted.ts";
import { isoTimes } from "../../core/time.ts";
import { csvBatch, csvHeader } from "../../formats/csv.ts";
import type { Closing, FileMaker } from "../make/maker.ts";
import type { Field } from "../tables/field.ts";
import type { Column, Table } from "../tables/table.ts";

/** The CSV file of a table, for people's spreadsheets: see formats/csv.ts. */
export class CsvMaker<Row> implements FileMaker {
  readonly mediatype = "text/csv";
  readonly path: string;
  readonly columns: readonly Field[];
  readonly keys: readonly string[];
  readonly #table: Table<Row>;
  readonly #isoTime = isoTimes();
  rows = 0;
  escaped = 0;

  constructor(table: Table<Row>) {
    this.path = table.path;
    this.columns = table.columns;
    this.keys = table.keys ?? [];
    this.#table = table;
  }

  get description(): string {
    return this.#table.description;
  }

  begin(): string {
    return csvHeader(this.columns.map(({ name }) => name));
  }

  add(batch: readonly Posted[]): string {
    return this.textOf(this.#table.rows.each?.(batch) ?? []);
  }

  addDays(days: readonly CubeDay[]): string {
    return this.textOf(this.#table.rows.days?.(days) ?? []);
  }

  end(closing: Closing): string {
    return this.textOf(this.#table.rows.atEnd?.(closing) ?? []);
  }

  /** Adds rows from elsewhere. They are counted with the others. */
  textOf(rows: Iterable<Row>): string {
    const cells = Array.from(rows, (row) => this.#table.columns.map((column) => this.#cellOf(column, row)));
    const { text, escaped } = csvBatch(cells);
    this.rows += cells.length;
    this.escaped += escaped;
    return text;
  }

  #cellOf({ kind, of }: Column<Row>, row: Row): string {
    const value = of(row) ?? "";
    return kind === "time" && value !== "" ? this.#isoTime(Number(value)) : String(value);
  }
}

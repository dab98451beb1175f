import type { CubeDay } from "../../accounting/cube/cube.ts";
import type { Posted } from "../../accounting/posted.ts";
import { isoTimes } from "../../core/time.ts";
import { CSV_NEWLINE, csvCellText, csvHeader, isPlainCell } from "../../formats/csv.ts";
import type { Closing, FileMaker } from "../make/maker.ts";
import type { Field } from "../tables/field.ts";
import type { Column, Table, Value } from "../tables/table.ts";

interface Cells<Row> {
  readonly textOf: (row: Row) => string;
  /** True: the text needs no quotes, and no spreadsheet runs it. */
  readonly isSafe: boolean;
}

/** The CSV file of a table, for people's spreadsheets: see formats/csv.ts. */
export class CsvMaker<Row> implements FileMaker {
  readonly mediatype = "text/csv";
  readonly path: string;
  readonly description: string;
  readonly columns: readonly Field[];
  readonly keys: readonly string[];
  readonly #table: Table<Row>;
  readonly #cells: readonly Cells<Row>[];
  /** By column. */
  readonly #plain: string[] = [];
  rows = 0;
  escaped = 0;

  constructor(table: Table<Row>) {
    this.path = table.path;
    this.description = table.description;
    this.columns = table.columns;
    this.keys = table.keys ?? [];
    this.#table = table;
    this.#cells = table.columns.map(cellsOf);
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
    let text = "";
    for (const row of rows) {
      text += this.#lineOf(row);
      this.rows += 1;
    }
    return text;
  }

  #lineOf(row: Row): string {
    let line = "";
    let separator = "";
    for (const [at, { textOf, isSafe }] of this.#cells.entries()) {
      const text = textOf(row);
      line += separator + (isSafe || this.#isPlain(text, at) ? text : this.#harmless(text));
      separator = ",";
    }
    return line + CSV_NEWLINE;
  }

  /** Texts repeat, so the last plain one of each column is remembered. */
  #isPlain(text: string, column: number): boolean {
    if (text === "" || text === this.#plain[column]) {
      return true;
    }
    const isPlain = isPlainCell(text);
    if (isPlain) {
      this.#plain[column] = text;
    }
    return isPlain;
  }

  #harmless(cell: string): string {
    const { text, isEscaped } = csvCellText(cell);
    this.escaped += isEscaped ? 1 : 0;
    return text;
  }
}

function cellsOf<Row>({ kind, of }: Column<Row>): Cells<Row> {
  const isText = kind === "text" || kind === "note";
  const clock = isoTimes();
  const textOf = kind === "time" ? (value: NonNullable<Value>) => clock(Number(value)) : String;
  return {
    isSafe: !isText,
    textOf: (row) => {
      const value = of(row);
      return value === null || value === undefined ? "" : textOf(value);
    },
  };
}

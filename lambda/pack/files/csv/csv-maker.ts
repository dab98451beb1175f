import type { Booked } from "../../../accounting/booked.ts";
import { CSV_NEWLINE, csvCellText, csvHeader, isPlainCell } from "../../../formats/csv.ts";
import type { Closing, Column, FileMaker } from "../../build/maker.ts";
import type { CsvColumn } from "./columns.ts";

export interface CsvTable<Row> {
  readonly path: string;
  readonly description: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** The columns that identify a row, if there are any. */
  readonly keys?: readonly string[];
  /** The rows of a batch of booked fills, in their order. */
  readonly rowsOf?: (batch: readonly Booked[]) => Iterable<Row>;
  /** The rows after all fills. */
  readonly rowsAtEnd?: (closing: Closing) => Iterable<Row>;
}

/** A table for people's spreadsheets: see formats/csv.ts. */
export class CsvMaker<Row> implements FileMaker {
  readonly mediatype = "text/csv";
  readonly path: string;
  readonly description: string;
  readonly columns: readonly CsvColumn<Row>[];
  readonly keys: readonly string[];
  readonly #table: CsvTable<Row>;
  /** By column. */
  readonly #plain: string[] = [];
  rows = 0;
  escaped = 0;

  constructor(table: CsvTable<Row>) {
    this.path = table.path;
    this.description = table.description;
    this.columns = table.columns;
    this.keys = table.keys ?? [];
    this.#table = table;
  }

  begin(): string {
    return csvHeader(this.columns.map(({ name }) => name));
  }

  add(batch: readonly Booked[]): string {
    return this.textOf(this.#table.rowsOf?.(batch) ?? []);
  }

  end(closing: Closing): string {
    return this.textOf(this.#table.rowsAtEnd?.(closing) ?? []);
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
    for (let at = 0; at < this.columns.length; at += 1) {
      const { kind, cell } = this.columns[at] as CsvColumn<Row>;
      const text = cell(row) ?? "";
      line += separator + (isNumeric(kind) || this.#isPlain(text, at) ? text : this.#harmless(text));
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

/** The text of a number needs no quotes, and no spreadsheet runs it. */
function isNumeric(kind: Column["kind"]): boolean {
  return kind === "decimal" || kind === "integer";
}

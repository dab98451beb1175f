import type { Booked } from "../../../accounting/booked.ts";
import { CSV_NEWLINE, csvCellText, csvHeader, isPlainCell } from "../../../formats/csv.ts";
import type { Column, FileMaker } from "../../build/maker.ts";

/** A column, and its cell in a row; null and "": an empty one. Only text is looked at for what a spreadsheet must not read: a number or a time cannot be that. */
export interface BookedColumn<Row> extends Column {
  readonly cell: (row: Row) => string | null;
}

export interface BookedTable<Row> {
  readonly path: string;
  readonly description: string;
  readonly columns: readonly BookedColumn<Row>[];
  /** Of a batch of booked fills, in their order. */
  readonly rowsOf: (batch: readonly Booked[]) => Iterable<Row>;
}

/** A table that has a row for each of many fills; its bytes are those of a CsvMaker. */
export class BookedTableMaker<Row> implements FileMaker {
  readonly mediatype = "text/csv";
  readonly path: string;
  readonly description: string;
  readonly columns: readonly BookedColumn<Row>[];
  readonly keys: readonly string[] = [];
  readonly #rowsOf: BookedTable<Row>["rowsOf"];
  rows = 0;
  neutralised = 0;

  constructor({ path, description, columns, rowsOf }: BookedTable<Row>) {
    this.path = path;
    this.description = description;
    this.columns = columns;
    this.#rowsOf = rowsOf;
  }

  begin(): string {
    return csvHeader(this.columns.map(({ name }) => name));
  }

  add(batch: readonly Booked[]): string {
    let text = "";
    for (const row of this.#rowsOf(batch)) {
      text += this.#lineOf(row);
      this.rows += 1;
    }
    return text;
  }

  end(): string {
    return "";
  }

  #lineOf(row: Row): string {
    let line = "";
    let separator = "";
    for (const { kind, cell } of this.columns) {
      const text = cell(row) ?? "";
      line += separator + (kind !== "text" || text === "" || isPlainCell(text) ? text : this.#harmless(text));
      separator = ",";
    }
    return line + CSV_NEWLINE;
  }

  #harmless(cell: string): string {
    const { text, isNeutralised } = csvCellText(cell);
    this.neutralised += isNeutralised ? 1 : 0;
    return text;
  }
}

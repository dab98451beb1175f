import type { Booked } from "../../../accounting/booked.ts";
import { csvBatch, csvHeader } from "../../../formats/csv.ts";
import type { Closing, Column, FileMaker } from "../../build/maker.ts";
import type { CsvRow } from "./cells.ts";

/** Rows of so many fills at once: short-lived, so that the garbage collector has little to carry on. */
const FILLS_AT_ONCE = 500;

export interface CsvTable {
  readonly path: string;
  readonly description: string;
  readonly columns: readonly Column[];
  /** The columns that tell rows apart, where there are such. */
  readonly keys?: readonly string[];
  /** Rows of one booked fill. */
  readonly rowsOf?: (booked: Booked) => readonly CsvRow[];
  /** Rows that follow when all fills have gone by. */
  readonly rowsAtEnd?: (closing: Closing) => readonly CsvRow[];
}

/** A table for people's spreadsheets: see formats/csv.ts. */
export class CsvMaker implements FileMaker {
  readonly mediatype = "text/csv";
  readonly #table: CsvTable;
  rows = 0;
  neutralised = 0;

  constructor(table: CsvTable) {
    this.#table = table;
  }

  get path(): string {
    return this.#table.path;
  }

  get description(): string {
    return this.#table.description;
  }

  get columns(): readonly Column[] {
    return this.#table.columns;
  }

  get keys(): readonly string[] {
    return this.#table.keys ?? [];
  }

  begin(): string {
    return csvHeader(this.#table.columns.map(({ name }) => name));
  }

  add(batch: readonly Booked[]): string {
    const { rowsOf } = this.#table;
    if (rowsOf === undefined) {
      return "";
    }
    let text = "";
    for (let at = 0; at < batch.length; at += FILLS_AT_ONCE) {
      text += this.textOf(batch.slice(at, at + FILLS_AT_ONCE).flatMap(rowsOf));
    }
    return text;
  }

  end(closing: Closing): string {
    return this.textOf(this.#table.rowsAtEnd?.(closing) ?? []);
  }

  /** Rows that come from elsewhere; they are counted with the others. */
  textOf(rows: readonly CsvRow[]): string {
    const { text, neutralised } = csvBatch(rows);
    this.rows += rows.length;
    this.neutralised += neutralised;
    return text;
  }
}

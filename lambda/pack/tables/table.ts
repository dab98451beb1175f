import type { Amount } from "../../core/amount.ts";
import type { Closing } from "../build/maker.ts";

/** What a cell holds. Null or undefined: it is not known, or there is nothing. */
export type Value = string | number | Amount | null | undefined;

/** One column of a table, in every file that shows it. */
export interface Column<Row> {
  /** Its name in files. */
  readonly key: string;
  /** Its name for people. */
  readonly head: string;
  readonly meaning: string;
  /** `quantity`: an amount that is no money, as a price or a rate. */
  readonly type: "text" | "count" | "money" | "quantity";
  readonly of: (row: Row) => Value;
  /** True: no cell is empty. */
  readonly isRequired?: true;
  /** True: sheets add it up. */
  readonly isSummed?: true;
  /** What people read where the text is empty. */
  readonly empty?: string;
  /** In characters, if it is not the usual one. */
  readonly width?: number;
  /** The only writer that shows it. */
  readonly only?: "csv" | "sheet";
}

/** A relation: its rows and columns. Each is one file here, and any writer writes it. */
export interface Table<Row> {
  /** The path of its CSV file in the pack. */
  readonly path: string;
  readonly description: string;
  /** The name of its sheet, and a sentence for the sheet's title. */
  readonly title: string;
  readonly about: string;
  readonly columns: readonly Column<Row>[];
  /** The keys of columns that identify a row. */
  readonly keys: readonly string[];
  /** Instead of rows, for people. */
  readonly nothing: string;
  readonly rows: (closing: Closing) => Iterable<Row>;
}

import type { CubeDay } from "../../accounting/cube/cube.ts";
import type { Scope } from "../../accounting/cube/scopes.ts";
import type { Posted } from "../../accounting/posted.ts";
import type { Amount } from "../../core/amount.ts";
import type { Closing } from "../make/maker.ts";
import type { Field, Type } from "./field.ts";

/** What a cell holds. Null, undefined and "": it is not known, or there is nothing. */
export type Value = string | number | Amount | null | undefined;

/** One column of a table, in every file that shows it. */
export interface Column<Row> extends Field {
  /** Its name for people. */
  readonly head: string;
  readonly kind: Type;
  readonly of: (row: Row) => Value;
  /** True: an amount of which people see whether it is above zero. */
  readonly isSigned?: true;
  /** True: sheets add it up. */
  readonly isSummed?: true;
  /** What people read where the text is empty. */
  readonly empty?: string;
  /** In characters, if it is not the usual one. */
  readonly width?: number;
  /** True: only the CSV file has it. */
  readonly isCsvOnly?: true;
}

/** A relation: its rows and columns. Each is one file here, and any writer writes it. */
export interface Table<Row> {
  /** The path of its CSV file in the pack. */
  readonly path: string;
  readonly description: string;
  readonly columns: readonly Column<Row>[];
  /** The keys of columns that identify a row. */
  readonly keys?: readonly string[];
  /** Of a table that the workbook has. */
  readonly sheet?: SheetFrame;
  readonly rows: Rows<Row>;
}

export type SheetTable<Row> = Table<Row> & { readonly sheet: SheetFrame };

/** The sheet of a table. */
export interface SheetFrame {
  readonly title: string;
  /** A sentence of its title. */
  readonly about: string;
  /** Instead of rows. */
  readonly nothing: string;
  /** The most rows, if they are fewer than usual. */
  readonly most?: number;
  /** What the sum of a column lacks that no cell shows. `of`: all of its currency. Absent: nothing. */
  readonly lacks?: (of: Scope, column: string) => readonly unknown[];
  /** Rows of the file that are not among its own. */
  readonly left?: (closing: Closing) => number;
}

/** Where rows come from. */
export interface Rows<Row> {
  /** Of some fills of the period, in order. */
  readonly each?: (batch: readonly Posted[]) => Iterable<Row>;
  /** Of days that have ended, in order. */
  readonly days?: (days: readonly CubeDay[]) => Iterable<Row>;
  /** After all fills. */
  readonly atEnd?: (closing: Closing) => Iterable<Row>;
}

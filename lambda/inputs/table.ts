import { type FillbookError, usageError } from "../core/errors.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { counted, listed } from "../core/text.ts";
import { describe } from "../formats/json.ts";
import { eachRecord } from "../formats/read-csv.ts";
import type { Read } from "./cells.ts";
import { BALANCES, type InputFile, MARKS, textOf } from "./files.ts";

type Columns = Readonly<Record<string, Read<unknown>>>;

type CellsOf<C extends Columns> = { readonly [Name in keyof C]: ReturnType<C[Name]> };

/** A file of the user: a CSV table with a header, whose columns are these, in any order. */
export interface InputTable<C extends Columns = Columns> {
  readonly name: string;
  /** What it holds, for the help. */
  readonly about: string;
  readonly columns: C;
  /** Of two lines that have these columns alike, the second is refused. */
  readonly once?: readonly (keyof C & string)[];
}

/** A row of a file of the user. */
export type Row<C extends Columns> = CellsOf<C> & {
  /** The line in the file, from 1, on which the row begins. */
  readonly line: number;
  /** For messages: `funding.csv, line 3`. */
  readonly where: string;
};

/** For its types. */
export function inputTable<const C extends Columns>(table: InputTable<C>): InputTable<C> {
  return table;
}

/**
 * The rows of a CSV file (RFC 4180, UTF-8), by their column `time` if they have one. Blank lines are skipped.
 * Throws `usage` with the line for anything that is not as the table says. `zone`: see cells.ts.
 */
export function rowsOf<C extends Columns>(table: InputTable<C>, file: InputFile, zone: string): Row<C>[] {
  const content = textOf(file).replaceAll("\r\n", "\n");
  const rows: Row<C>[] = [];
  const lines = new Map<string, number>();
  let header: readonly string[] | null = null;
  eachRecord(content, ({ cells: record, isBlank, line, fault }) => {
    const where = `${file.name}, line ${line}`;
    if (fault !== null) {
      throw usageError(
        `${where}: a quote is not closed, or text follows a closing quote`,
        'close a quoted cell with a quote before the comma, and double each quote inside it: "so ""called"" name"',
      );
    }
    if (isBlank) {
      return;
    }
    if (header === null) {
      header = headerOf(where, record, table.columns);
      return;
    }
    const cells = cellsOf(table.columns, { where, record, header, zone });
    const key = table.once?.map((column) => String(cells[column])).join("\0");
    const earlier = key === undefined ? line : getOrMake(lines, key, () => line);
    if (earlier !== line) {
      throw usageError(
        `${where}: ${listed(table.once ?? [])} are the same as in line ${earlier}`,
        [BALANCES, MARKS].includes(table.name) // states, not events
          ? "keep one of the two lines"
          : "keep one of the two lines; if there really were two, add them up in one line",
      );
    }
    rows.push({ ...cells, line, where });
  });
  if (header === null) {
    throw usageError(`${file.name} is empty`, headerHint(table.columns));
  }
  const timeOf = (row: Row<C>) => Number((row as { readonly time?: unknown }).time);
  return "time" in table.columns ? rows.sort((a, b) => timeOf(a) - timeOf(b)) : rows;
}

function headerOf(where: string, record: readonly string[], columns: Columns): readonly string[] {
  const refuse = (message: string): FillbookError => usageError(`${where}: ${message}`, headerHint(columns));
  const unknown = record.find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined) {
    throw refuse(`there is no column ${describe(unknown)}`);
  }
  const twice = record.find((name, at) => record.indexOf(name) !== at);
  if (twice !== undefined) {
    throw refuse(`the column ${twice} appears twice`);
  }
  const missing = columnsOf(columns, "required").filter((name) => !record.includes(name));
  if (missing.length > 0) {
    throw refuse(`the header has no ${missing.join(", ")}`);
  }
  return record;
}

function cellsOf<C extends Columns>(
  columns: C,
  { where, record, header, zone }: Record<"where" | "zone", string> & Record<"record" | "header", readonly string[]>,
): CellsOf<C> {
  if (record.length !== header.length) {
    throw usageError(
      `${where}: the line has ${counted(record.length, "cell")}, but the header has ${header.length}`,
      "put text that contains a comma in quotes; write numbers without commas",
    );
  }
  const cells = Object.entries(columns).map(([column, read]) => {
    const text = record[header.indexOf(column)] ?? "";
    const wrong = (expected: string, hint: string, cause?: unknown): never => {
      const is = text === "" ? "is empty" : `is ${describe(text)}, which is not ${expected}`;
      throw usageError(`${where}: ${column} ${is}`, hint, cause);
    };
    return [column, read({ text, zone, wrong })];
  });
  return Object.fromEntries(cells) as CellsOf<C>; // each by its own reader
}

/** The columns that may be left out, or those that may not. */
export function columnsOf(columns: Columns, which: "required" | "optional"): string[] {
  return Object.keys(columns).filter((name) => (columns[name]?.isOptional === true) === (which === "optional"));
}

function headerHint(columns: Columns): string {
  const left = columnsOf(columns, "optional");
  const which = left.length === 0 ? "in any order" : `in any order; ${left.join(", ")} can be left out`;
  return `the first line must be ${Object.keys(columns).join(",")} (${which})`;
}

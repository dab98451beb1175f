import papaparse from "papaparse";
import { FillbookError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { type Row, shown } from "./cells.ts";
import { type InputFile, textOf } from "./files.ts";

/**
 * Reads a CSV file (RFC 4180, UTF-8) row by row. Its header must have exactly these columns, in any order.
 * Blank lines are skipped. An optional column may be absent; its cells are then empty. Throws `usage` with
 * the line for anything else.
 */
export function readTable<Column extends string>(
  file: InputFile,
  columns: readonly Column[],
  take: (row: Row<Column>) => void,
  optional: readonly Column[] = [],
): void {
  const text = textOf(file).replaceAll("\r\n", "\n");
  checkSeparator(file.name, text);
  let order: readonly Column[] | null = null;
  eachRecord(file.name, text, (record, line) => {
    const where = `${file.name}, line ${line}`;
    if (order === null) {
      order = headerOf(where, record, columns, optional);
    } else {
      take({ cells: cellsOf(where, record, order, optional), line, where });
    }
  });
  if (order === null) {
    throw new FillbookError("usage", `${file.name} is empty`, { hint: headerHint(columns, optional) });
  }
}

/** Spreadsheets in countries with decimal commas write semicolons. */
function checkSeparator(name: string, text: string): void {
  const [header = ""] = /\S.*/.exec(text) ?? [];
  const mark = header.includes(",") ? undefined : /[;\t]/.exec(header)?.[0];
  if (mark !== undefined) {
    throw new FillbookError("usage", `${name} has ${mark === ";" ? "semicolons" : "tabs"} between its columns`, {
      hint: "save it with commas between the columns and with decimal points",
    });
  }
}

/** The records that are not blank, with the lines on which they begin. */
function eachRecord(name: string, text: string, take: (record: readonly string[], line: number) => void): void {
  let line = 1;
  let start = 0;
  papaparse.parse<string[]>(text, {
    delimiter: ",",
    newline: "\n",
    step({ data, errors, meta }) {
      if (errors.length > 0) {
        throw new FillbookError(
          "usage",
          `${name}, line ${line}: a quote is not closed, or text follows a closing quote`,
          {
            hint: 'close a quoted cell with a quote before the comma, and double each quote inside it: "so ""called"" name"',
          },
        );
      }
      if (data.some((cell) => cell.trim() !== "")) {
        take(data, line);
      }
      for (let at = text.indexOf("\n", start); at !== -1 && at < meta.cursor; at = text.indexOf("\n", at + 1)) {
        line += 1;
      }
      start = meta.cursor;
    },
  });
}

function headerOf<Column extends string>(
  where: string,
  record: readonly string[],
  columns: readonly Column[],
  optional: readonly Column[],
): readonly Column[] {
  const names: readonly string[] = columns;
  const hint = headerHint(columns, optional);
  const refuse = (message: string) => new FillbookError("usage", `${where}: ${message}`, { hint });
  const unknown = record.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw refuse(`there is no column ${shown(unknown)}`);
  }
  const twice = record.find((name, at) => record.indexOf(name) !== at);
  if (twice !== undefined) {
    throw refuse(`the column ${twice} appears twice`);
  }
  const missing = columns.filter((name) => !(record.includes(name) || optional.includes(name)));
  if (missing.length > 0) {
    throw refuse(`the header has no ${missing.join(", ")}`);
  }
  return record as readonly Column[]; // each of them was found among the columns
}

function cellsOf<Column extends string>(
  where: string,
  record: readonly string[],
  order: readonly Column[],
  optional: readonly Column[],
): Readonly<Record<Column, string>> {
  if (record.length !== order.length) {
    throw new FillbookError(
      "usage",
      `${where}: the line has ${counted(record.length, "cell")}, but the header has ${order.length}`,
      {
        hint: "put text that contains a comma in quotes; write numbers without commas",
      },
    );
  }
  const absent = optional.map((column) => [column, ""] as const);
  const entries = order.map((column, at) => [column, record[at] ?? ""] as const);
  return Object.fromEntries([...absent, ...entries]) as Record<Column, string>; // every column is in the order, or optional
}

function headerHint(columns: readonly string[], optional: readonly string[]): string {
  const which = optional.length === 0 ? "in any order" : `in any order; ${optional.join(", ")} can be left out`;
  return `the first line must be ${columns.join(",")} (${which})`;
}

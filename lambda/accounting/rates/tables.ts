import { type FillbookError, usageError } from "../../core/errors.ts";
import { listed } from "../../core/text.ts";
import { describe } from "../../formats/json.ts";
import { type DayForm, dayIn, lengthOf, MAX_AGE_DAYS } from "./dates.ts";
import type { Entry, RateFormat } from "./rate-file.ts";
import { checkWidth, type Row, type Sheet, wrongLine } from "./sheet.ts";

// The two ways to write a table of rates: a column for each pair of currencies, or a line for each rate.

type Format = Pick<RateFormat, "label" | "hint" | "endsAnywhere">;

/** A table whose rows are days and whose columns are series. */
interface Wide extends Format {
  /** The row with the names of the series. Everything below it is read. */
  readonly isHeader: (cells: readonly string[]) => boolean;
  /**
   * The pair of a column by its name, or by its cell in another row, which begins with a text. Without one of the two
   * it is no exchange rate of days, and is left out.
   */
  readonly pairOf: (name: string, cellIn: (row: string) => string) => readonly [base?: string, quote?: string];
  readonly days: DayForm;
  /** What stands where there is no rate. */
  readonly missing: readonly string[];
}

export function wide({ isHeader, pairOf, days, missing, ...format }: Wide): RateFormat {
  const read: RateFormat["read"] = (sheet) => {
    const { name: file, rows } = sheet;
    const header = rows.find(({ cells }) => isHeader(cells));
    const columns = (header?.cells ?? []).flatMap((name, at) => {
      const cellIn = (first: string) => rows.find(({ cells }) => cells[0]?.trim() === first)?.cells[at] ?? "";
      const [base, quote] = pairOf(name, cellIn);
      // The name of a currency does not name a series.
      const series = name === quote ? `${base}/${quote}` : name;
      return base === undefined || quote === undefined ? [] : [{ at, base, quote, series }];
    });
    if (header === undefined || columns.length === 0) {
      return null;
    }
    checkEnd(sheet, format);
    const below = rowsBelow(rows, header).map((row) => {
      checkWidth(file, row, header.cells.length);
      const [date = ""] = row.cells;
      const day = dayIn(date, days);
      if (day === null) {
        throw wrongLine(file, row.line, `${describe(date)} is not a day in the format of this file`);
      }
      return { ...row, day };
    });
    return columns.flatMap(({ at, ...column }) => {
      const rated = below.filter(({ cells }) => !missing.includes(cells[at] ?? ""));
      if (areAverages(rated.map(({ day }) => day))) {
        const what = `${header.cells[at]} should have rates of days, but they are a week or more apart: they are averages`;
        throw wrongLine(file, header.line, what, "download it again with the rates of each day");
      }
      return rated.map(
        ({ line, cells, day }): Entry => ({ ...column, kind: "day", from: day, to: day, rate: cells[at] ?? "", line }),
      );
    });
  };
  return { ...format, read };
}

/** Whether no two of the days are in one week, as in a file with a rate for each week or month. */
function areAverages(days: readonly string[]): boolean {
  const sorted = [...new Set(days)].sort();
  const isFar = (to: string, at: number) => lengthOf({ from: sorted[at - 1] ?? "", to }) > MAX_AGE_DAYS;
  return sorted.length > 1 && sorted.slice(1).every((day, at) => isFar(day, at + 1));
}

/** Up to a line of one word, which begins another block. */
function rowsBelow(rows: readonly Row[], header: Row): readonly Row[] {
  const below = rows.slice(rows.indexOf(header) + 1);
  const end = below.findIndex(({ cells }) => cells.length === 1 && /^[A-Z ]+$/.test(cells[0] ?? ""));
  return end === -1 ? below : below.slice(0, end);
}

/** A table with a rate in each line. */
interface Long extends Format {
  /**
   * In small letters, without what is no letter, digit, space or slash: `basecurrency` for `Base_Currency`. The file
   * may have more, in any order.
   */
  readonly headings: readonly string[];
  /** True: it may not have more, nor other spellings. */
  readonly isFixed?: true;
  /** `cells`: those under the headings. `wrong`: an error for the line. */
  readonly entryOf: (
    cells: readonly string[],
    wrong: (what: string) => FillbookError,
    file: string,
  ) => Omit<Entry, "line">;
}

export function long({ headings, isFixed, entryOf, ...format }: Long): RateFormat {
  const read: RateFormat["read"] = (sheet) => {
    const { name } = sheet;
    const [header, ...rows] = sheet.rows;
    const found = (header?.cells ?? []).map(headingOf);
    const places = headings.map((heading) => found.indexOf(heading));
    if (header === undefined || places.includes(-1)) {
      return null;
    }
    const { line, cells: names } = header;
    const wrong = names.find((cell, at) => !headings.includes(cell) || names.indexOf(cell) !== at);
    if (isFixed && wrong !== undefined) {
      const what = `the column ${describe(wrong)} is not one of ${listed(headings)}, or is there twice`;
      throw wrongLine(name, line, what, format.hint);
    }
    checkEnd(sheet, format);
    return rows.map((row) => {
      checkWidth(name, row, found.length, format.hint);
      const cells = places.map((place) => row.cells[place] ?? "");
      return { ...entryOf(cells, (what) => wrongLine(name, row.line, what, format.hint), name), line: row.line };
    });
  };
  return { ...format, read };
}

/** The spelling of HMRC's headings has changed over the years, and their pound sign with the encoding. */
function headingOf(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9/ ]/g, "")
    .replaceAll(/ +/g, " ")
    .trim()
    .replace(/ per pound$/, " per 1");
}

function checkEnd({ name, isEnded }: Sheet, { label, endsAnywhere }: Format): void {
  if (!(isEnded || endsAnywhere)) {
    const hint = "download it again; the last number may be incomplete";
    throw usageError(`${name} (${label}) is cut off: it ends within a line`, hint);
  }
}

import { describe } from "../../formats/json.ts";
import { isoDay, isoMonth, isoYear, monthFrom, namedDay, type Span, yearFrom } from "./dates.ts";
import type { Entry } from "./rate-file.ts";
import { checkWidth, type Row, type Sheet, wrongLine } from "./sheet.ts";

export type Frequency = "day" | "month" | "year";

/** A series of a table whose rows are days (or months, or years) and whose columns are series. */
export interface Series {
  /** Its name, if that is not the column's. */
  readonly series?: string;
  /** 1 base = value quote */
  readonly base: string;
  readonly quote: string;
  readonly frequency: Frequency;
}

export interface WideTable {
  /** The row with the names of the series. Everything below it is read. */
  readonly header: Row;
  /** The series of a column by its name. Null: it is none, and is left out. */
  readonly seriesOf: (name: string, at: number) => Series | null;
  /** What is wrong if there is none: a message and, if it is not the usual one, a hint. */
  readonly none?: readonly [message: string, hint?: string];
  /** Texts that mean that there is no rate. */
  readonly missing: readonly string[];
  /**
   * The time that the row's first cell names, for a series of the frequency. Null: the cell has another form.
   */
  readonly spanOf: (cell: string, frequency: Frequency) => Span | null;
}

export function* readWide({ name: file, rows }: Sheet, table: WideTable): Iterable<Entry> {
  const { header, seriesOf, none = ["there is no series of exchange rates"], missing } = table;
  const columns = header.cells.flatMap((name, at) => {
    const found = seriesOf(name, at);
    return found === null ? [] : [{ at, series: name, ...found }];
  });
  if (columns.length === 0) {
    throw wrongLine(file, header.line, ...none);
  }
  const frequencies = new Set(columns.map(({ frequency }) => frequency));
  for (const row of rows.slice(rows.indexOf(header) + 1)) {
    checkWidth(file, row, header.cells.length);
    const spans = spansOf(file, row, frequencies, table.spanOf);
    for (const { at, series, base, quote, frequency } of columns) {
      const rate = row.cells[at] ?? "";
      const span = spans.get(frequency);
      if (span !== undefined && !missing.includes(rate)) {
        const kind = frequency === "day" ? "day" : "period";
        yield { series, base, quote, kind, from: span.from, to: span.to, rate, line: row.line };
      }
    }
  }
}

function spansOf(
  name: string,
  { line, cells: [date = ""] }: Row,
  frequencies: ReadonlySet<Frequency>,
  spanOf: WideTable["spanOf"],
): ReadonlyMap<Frequency, Span> {
  return new Map(
    [...frequencies].map((frequency) => {
      const span = spanOf(date, frequency);
      if (span === null) {
        throw wrongLine(name, line, `${describe(date)} is not a ${frequency} in the format of this file`);
      }
      return [frequency, span];
    }),
  );
}

/** Each period is named by its first day. */
export function byFirstDay(cell: string, frequency: Frequency): Span | null {
  const day = isoDay(cell);
  if (day === null || frequency === "day") {
    return day === null ? null : { from: day, to: day };
  }
  return frequency === "month" ? monthFrom(day) : yearFrom(day);
}

/** `03-Jan-2023`, of a table of days. */
export function byNamedDay(cell: string): Span | null {
  const day = namedDay(cell);
  return day === null ? null : { from: day, to: day };
}

/** The row that begins with the text. */
export function rowOf(rows: readonly Row[], first: string): Row | undefined {
  return rows.find(({ cells }) => cells[0]?.trim() === first);
}

export const NO_ROW: Row = { line: 0, cells: [] };

/** `2025-03-01`, `2025-03`, `2025` */
export function byName(cell: string, frequency: Frequency): Span | null {
  if (frequency === "day") {
    return byFirstDay(cell, frequency);
  }
  return frequency === "month" ? isoMonth(cell) : isoYear(cell);
}

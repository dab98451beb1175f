import papaparse from "papaparse";

/** A record of a CSV file. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Nothing but white space. */
  readonly isBlank: boolean;
  /** The line in the file, from 1, on which it begins. */
  readonly line: number;
  /** What is wrong with its quotes. Null: nothing. */
  readonly fault: string | null;
}

/** Takes the records (RFC 4180), one by one. `text`: without a byte order mark. */
export function eachRecord(text: string, take: (record: CsvRecord) => void, newline: "\n" | "\r\n" = "\n"): void {
  let line = 1;
  let begin = 0;
  papaparse.parse<string[]>(text, {
    delimiter: ",",
    newline,
    step({ data: cells, errors, meta: { cursor } }) {
      const isBlank = cells.every((cell) => cell.trim() === "");
      take({ cells, isBlank, line, fault: errors[0]?.message ?? null });
      // A quoted cell can hold line breaks, so a record may span several lines.
      for (let at = text.indexOf("\n", begin); at !== -1 && at < cursor; at = text.indexOf("\n", at + 1)) {
        line += 1;
      }
      begin = cursor;
    },
  });
}

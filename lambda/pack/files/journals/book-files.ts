import { csvBatch } from "../../../formats/csv.ts";
import type { WholeFile } from "../../build/maker.ts";

/** A file of journals that an accounting program imports. */
export interface BookFile {
  /** Name in imports/, without `.csv`. */
  readonly name: string;
  readonly description: string;
  readonly header: readonly string[];
  /** The most lines that the program accepts in one file, without the header. */
  readonly mostLines: number;
}

type Rows = readonly (readonly string[])[];

/**
 * One file, and more files if the program does not accept such a long one. `journals`: the rows of each
 * journal.
 */
export function bookFiles(
  { name, description, header, mostLines }: BookFile,
  journals: readonly Rows[],
): readonly WholeFile[] {
  return inFiles(journals, mostLines).map((rows, at) => ({
    path: `imports/${name}${at === 0 ? "" : `-${at + 1}`}.csv`,
    description,
    mediatype: "text/csv",
    content: csvBatch([header, ...rows]).text,
    rows: rows.length,
  }));
}

/** Distributes the rows over as many files as needed, at least one. No journal is cut. */
function inFiles(journals: readonly Rows[], mostLines: number): readonly Rows[] {
  let last: (readonly string[])[] = [];
  const files = [last];
  for (const rows of journals) {
    if (last.length > 0 && last.length + rows.length > mostLines) {
      last = [];
      files.push(last);
    }
    last.push(...rows);
  }
  return files;
}

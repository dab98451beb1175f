import type { Converter } from "../../../accounting/rates/converter.ts";
import { csvBatch } from "../../../formats/csv.ts";
import type { FileFacts, FileMaker, PackContext, WholeFile } from "../../build/maker.ts";
import { type BookJournal, BookTally } from "./book-tally.ts";

/** A file of journals that an accounting package imports. */
export interface BookFile {
  /** Within imports/, without `.csv`. */
  readonly name: string;
  readonly description: string;
  readonly header: readonly string[];
  /** What the package takes in one file, without the header. */
  readonly mostLines: number;
}

/** The first file, and after its end those that follow it. */
export interface BookMaker extends FileMaker {
  more(): readonly WholeFile[];
}

type Rows = readonly (readonly string[])[];

/** `converter`: into the book currency. `rowsOf`: a journal. */
export function bookMaker(
  { name, description, header, mostLines }: BookFile,
  context: PackContext,
  converter: Converter,
  rowsOf: (journal: BookJournal) => Rows,
): BookMaker {
  const tally = new BookTally(context, converter);
  let files: readonly Rows[] = [];
  const factsOf = (number: number): FileFacts => ({
    path: `imports/${name}${number === 1 ? "" : `-${number}`}.csv`,
    description,
    mediatype: "text/csv",
  });
  return {
    ...factsOf(1),
    begin: () => csvBatch([header]).text,
    add(batch) {
      tally.add(batch);
      return "";
    },
    end() {
      files = inFiles(tally.journals.map(rowsOf), mostLines);
      return csvBatch(files[0] ?? []).text;
    },
    more: () =>
      files.slice(1).map((rows, at) => ({
        ...factsOf(at + 2),
        text: csvBatch([header, ...rows]).text,
        rows: rows.length,
      })),
    get rows() {
      return files[0]?.length ?? 0;
    },
  };
}

/** Rows of as many files as are needed: no journal is cut. */
function inFiles(journals: readonly Rows[], mostLines: number): readonly Rows[] {
  const files: (readonly string[])[][] = [];
  for (const rows of journals) {
    const last = files.at(-1);
    if (last === undefined || last.length + rows.length > mostLines) {
      files.push([...rows]);
    } else {
      last.push(...rows);
    }
  }
  return files;
}

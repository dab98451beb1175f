import { type FillbookError, usageError } from "../../core/errors.ts";
import { counted } from "../../core/text.ts";
import { eachRecord } from "../../formats/read-csv.ts";

/** A row of a file. Blank rows are left out. */
export interface Row {
  /** The line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A CSV file as rows of cells, not interpreted yet. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly Row[];
  /** True: the last line ends with a line break. A file that was cut off rarely does. */
  readonly isEnded: boolean;
}

// The largest published file has 2 MB: 7,100 lines of 43 cells.
const MAX_BYTES = 16 * 1024 * 1024;

const DOWNLOAD_HINT = "download it again as CSV from its publisher, and use it unchanged";

/**
 * Reads a CSV file: commas, UTF-8 or else ISO-8859-1 (older files of HMRC), any line breaks. Throws `usage`
 * if it is something else, or larger than any rate file is.
 */
export function readSheet(name: string, bytes: Uint8Array): Sheet {
  if (bytes.length > MAX_BYTES) {
    const most = `a rate file can have at most ${MAX_BYTES}`;
    throw usageError(`${name} has ${bytes.length} bytes, but ${most}`, "keep only the years that are needed");
  }
  const text = decode(bytes).replaceAll(/\r\n?/g, "\n");
  if (text.includes("\0")) {
    const hint = `if it is a zip archive, unpack it and use the CSV file in it; if not, ${DOWNLOAD_HINT}`;
    throw usageError(`${name} is not text in UTF-8 or ISO-8859-1`, hint);
  }
  const rows: Row[] = [];
  eachRecord(text, ({ cells, isBlank, line, fault }) => {
    if (fault !== null) {
      throw wrongLine(name, line, `this is not CSV: ${fault}`);
    }
    if (!isBlank) {
      rows.push({ line, cells });
    }
  });
  return { name, rows, isEnded: text.endsWith("\n") };
}

/** For messages: the file, the line, and what is wrong with it. */
export function wrongLine(name: string, line: number, what: string, hint: string = DOWNLOAD_HINT): FillbookError {
  return usageError(`${name}, line ${line}: ${what}`, hint);
}

/** Throws `usage` if the row has fewer or more cells than there are headings. */
export function checkWidth(name: string, { line, cells }: Row, width: number, hint?: string): void {
  if (cells.length !== width) {
    const headings = `there ${width === 1 ? "is" : "are"} ${counted(width, "heading")}`;
    const what = `the line has ${counted(cells.length, "cell")}, but ${headings}: it may have been cut off`;
    throw wrongLine(name, line, what, hint);
  }
}

/** Decodes the text without its byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  }
}

import papaparse from "papaparse";

/**
 * CSV after RFC 4180 for spreadsheets: UTF-8 with a byte order mark, CRLF, a header. Line breaks within text stay, quoted.
 */
export const CSV_NEWLINE = "\r\n";
const BYTE_ORDER_MARK = "\uFEFF";

/** A plain decimal, of any length. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Text that a spreadsheet may run as a formula: by its first character after byte order marks and spaces. OWASP's list and that of ASVS 5.0,
 * and the full-width forms that Excel reads alike. White space that is itself in the list counts wherever it leads.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n\0]/;

export interface CsvBatch {
  /** Ends with a line break; empty when there are no rows. */
  readonly text: string;
  /** Cells that got a leading apostrophe, so that a spreadsheet shows them as text. */
  readonly neutralised: number;
}

/** The byte order mark and the header. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + lines([names]);
}

/** Null is an empty cell. Numbers are written bare, and nothing else is that a spreadsheet would run. */
export function csvBatch(rows: readonly (readonly (string | null)[])[]): CsvBatch {
  let neutralised = 0;
  const safe = rows.map((row) => {
    if (!row.some(isFormulaCell)) {
      return row;
    }
    neutralised += row.filter(isFormulaCell).length;
    return row.map((cell) => (isFormulaCell(cell) ? `'${cell}` : cell));
  });
  return { text: lines(safe), neutralised };
}

function isFormulaCell(cell: string | null): boolean {
  return cell !== null && isFormula(cell);
}

/** Whether a cell must not be written as it is. A negative number begins with a hyphen and is none. */
export function isFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell);
}

function lines(rows: readonly (readonly (string | null)[])[]): string {
  // papaparse leaves out the line break after the last row of each call.
  return rows.length === 0
    ? ""
    : papaparse.unparse(rows as (string | null)[][], { newline: CSV_NEWLINE }) + CSV_NEWLINE;
}

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

/**
 * The same within a cell, behind what begins another one where lists have another separator: a semicolon, a tab or a line break. In the middle of such a
 * line our quotes are text like any other, so they do not hold it, and those that lead a cell are skipped.
 */
const FORMULA_WITHIN = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠\0])/g;

const QUOTED = /[",\r\n\uFEFF]|^ | $/;

/** What may be a formula or must be quoted, in one look: most cells are neither. */
const SPECIAL = /[",;\t\r\n\uFEFF]|^[\s=+\-@＝＋－＠\0]| $/;

const SEPARATOR = ",";

export interface CsvBatch {
  /** Ends with a line break; empty when there are no rows. */
  readonly text: string;
  /** Cells that got an apostrophe, so that a spreadsheet shows them as text. */
  readonly neutralised: number;
}

/** The byte order mark and the header. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvBatch([names]).text;
}

/** Null is an empty cell. Numbers are written bare, and nothing else is that a spreadsheet would run. */
export function csvBatch(rows: readonly (readonly (string | null)[])[]): CsvBatch {
  let text = "";
  let neutralised = 0;
  for (const row of rows) {
    let separator = "";
    for (const cell of row) {
      text += separator;
      separator = SEPARATOR;
      if (cell === null) {
        continue;
      }
      if (SPECIAL.test(cell)) {
        const safe = csvCellText(cell);
        text += safe.text;
        neutralised += safe.isNeutralised ? 1 : 0;
      } else {
        text += cell;
      }
    }
    text += CSV_NEWLINE;
  }
  return { text, neutralised };
}

/** A cell as it is written among others: harmless, and in quotes where it would be read otherwise without them. */
export function csvCellText(cell: string): { readonly text: string; readonly isNeutralised: boolean } {
  const text = harmless(cell);
  return { text: quoted(text), isNeutralised: text !== cell };
}

/** With apostrophes, so that no spreadsheet runs it. */
function harmless(cell: string): string {
  return (isFormula(cell) ? `'${cell}` : cell).replaceAll(FORMULA_WITHIN, "$&'");
}

/** Nearly all text: nothing in it needs quotes, and it is no formula. */
const PLAIN = /^\w[\w.:/-]*$/;

/** Whether the cell can be written as it is. */
export function isPlainCell(cell: string): boolean {
  return PLAIN.test(cell);
}

/** Whether a cell must not be written as it is. A negative number begins with a hyphen and is none. */
export function isFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell);
}

function quoted(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

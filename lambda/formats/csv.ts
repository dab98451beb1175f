/**
 * CSV by RFC 4180 for spreadsheets: UTF-8 with a byte order mark, CRLF, a header. Line breaks within text
 * stay, quoted.
 */
export const CSV_NEWLINE = "\r\n";
const BYTE_ORDER_MARK = "\uFEFF";

/** A plain decimal, of any length. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Text that a spreadsheet may run as a formula, by its first character after byte order marks and spaces. The
 * characters are those of OWASP and ASVS 5.0, and the full-width forms that Excel treats alike. White space
 * in the list counts wherever it leads.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r\n\0]/;

/**
 * The same inside a cell, after a character that begins a new cell where lists have another separator: a
 * semicolon, a tab or a line break. A reader of such a file does not see our quotes as quotes, so they do not
 * protect, and quotes at the start of a cell are skipped.
 */
const FORMULA_WITHIN = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠\0])/g;

const QUOTED = /[",\r\n\uFEFF]|^ | $/;

/** Finds in one look whether a cell may be a formula or must be quoted. Most cells need neither. */
const SPECIAL = /[",;\t\r\n\uFEFF]|^[\s=+\-@＝＋－＠\0]| $/;

const SEPARATOR = ",";

export interface CsvBatch {
  /** Ends with a line break. Empty if there are no rows. */
  readonly text: string;
  /** The number of cells that got an apostrophe, so that a spreadsheet shows them as text. */
  readonly escaped: number;
}

/** The byte order mark and the header. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvBatch([names]).text;
}

/** Null is an empty cell. Numbers are written as they are. Text that a spreadsheet would run is escaped. */
export function csvBatch(rows: readonly (readonly (string | null)[])[]): CsvBatch {
  let escaped = 0;
  const written = (cell: string | null) => {
    if (cell === null || !SPECIAL.test(cell)) {
      return cell;
    }
    const safe = harmless(cell);
    escaped += safe === cell ? 0 : 1;
    return quoted(safe);
  };
  // Joined, a text is one piece of memory.
  const text = rows.map((row) => row.map(written).join(SEPARATOR) + CSV_NEWLINE).join("");
  return { text, escaped };
}

/** Adds apostrophes, so that no spreadsheet runs the text. */
function harmless(cell: string): string {
  return (isFormula(cell) ? `'${cell}` : cell).replaceAll(FORMULA_WITHIN, "$&'");
}

/** The apostrophes of `harmless`, at the start and within. */
const ESCAPES = /^'(?=\s*[=+\-@＝＋－＠\t\r\n\0])|(?<=[;\t\r\n])'(?=[\s"]*[=+\-@＝＋－＠\0])/g;

/** The text that is escaped as this cell is. A cell that is not escaped is its own text. */
export function withoutEscapes(cell: string): string {
  const text = cell.replaceAll(ESCAPES, "");
  return harmless(text) === cell ? text : cell;
}

/** Whether a cell must be escaped. A negative number begins with a hyphen and need not be. */
export function isFormula(cell: string): boolean {
  return FORMULA.test(cell) && !NUMBER.test(cell);
}

function quoted(cell: string): string {
  return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

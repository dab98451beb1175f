import { isFormula } from "./csv.ts";

/** Nearly all text: nothing in it needs quotes, and it is no formula. */
const PLAIN = /^\w[\w.:/-]*$/;
/** What RFC 4180 puts in quotes, and what spreadsheets would trim or drop: spaces and byte order marks. */
const NEEDS_QUOTES = /[\r\n",\uFEFF]|^ | $/;

/** Whether the cell can be written as it is. */
export function isPlainCell(cell: string): boolean {
  return PLAIN.test(cell);
}

/** A cell as `csvBatch` writes it among others: harmless, and in quotes where it needs them. */
export function csvCellText(cell: string): { readonly text: string; readonly isNeutralised: boolean } {
  const isNeutralised = isFormula(cell);
  const safe = isNeutralised ? `'${cell}` : cell;
  return { text: NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe, isNeutralised };
}

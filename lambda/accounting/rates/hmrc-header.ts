/** A heading of HMRC's files: their spelling has changed over the years, and the pound sign with the encoding. */
export function headingOf(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9/ ]/g, "")
    .replaceAll(/ +/g, " ")
    .trim();
}

export const CODE = "currency code";
export const UNITS = "currency units per 1";
export const BASE = "GBP";

/** Where the headings are in a row, in their order; null when one of them is not there. */
export function indexesOf(cells: readonly string[] | undefined, headings: readonly string[]): number[] | null {
  const found = (cells ?? []).map(headingOf);
  const indexes = headings.map((heading) => found.indexOf(heading));
  return indexes.includes(-1) ? null : indexes;
}

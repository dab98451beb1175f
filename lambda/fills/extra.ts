import { canonicalJson } from "../formats/json.ts";
import { FILL_COLUMNS, type FillColumn, type FillRow } from "./columns.ts";

/**
 * The `extra` cell: what the columns cannot hold, as a JSON object, or null when there is nothing. It holds the service's unknown and wrongly
 * typed fields under the service's names, and the exact text of every value whose cell is not exact: of a number that does not fit its type
 * (its cell is null), of text that is not valid Unicode (its cell has U+FFFD there), and a notional that does not fit.
 */
export function extraCell(row: FillRow): string | null {
  const { extra } = row.fill;
  const texts: (readonly [string, string])[] = [];
  for (const column of FILL_COLUMNS) {
    const text = exactText(column, row);
    if (text !== null) {
      texts.push([keyFor(extra, nameIn(column)), text]);
    }
  }
  return extra === null && texts.length === 0 ? null : canonicalJson({ ...extra, ...Object.fromEntries(texts) });
}

/** The text that a column's cell cannot hold, or null when the cell says it all. */
function exactText(column: FillColumn, row: FillRow): string | null {
  if (column.kind === "decimal") {
    return column.value(row) === null ? column.text(row) : null;
  }
  if (column.kind === "text" && column.field !== null) {
    const text = column.value(row);
    return text === null || isUnicode(text) ? null : text;
  }
  return null;
}

/** Without a half of a pair, which a cell has as U+FFFD, and without that itself. */
function isUnicode(text: string): boolean {
  return text.isWellFormed() && !hasReplacement(text);
}

/** Whether a cell of this text may stand for text that is not valid Unicode: then its exact text is in `extra`. */
export function hasReplacement(cell: string): boolean {
  return cell.includes("\uFFFD");
}

type Named = Pick<FillColumn, "name" | "field">;

/** Takes the exact text of `column` out of the fields of an `extra` cell, where it must be. */
export function takeText(fields: Map<string, unknown>, column: Named): string {
  const key = longestKey(fields.keys(), nameIn(column));
  const text = key === undefined ? undefined : fields.get(key);
  if (key === undefined || typeof text !== "string") {
    throw new TypeError(`extra: no text for ${column.name}`);
  }
  fields.delete(key);
  return text;
}

function nameIn({ field, name }: Named): string {
  return field ?? name;
}

/** The column's name; with underscores after it where the service itself sent fields of that name, so that neither is lost. */
function keyFor(extra: Readonly<Record<string, unknown>> | null, name: string): string {
  const taken = longestKey(Object.keys(extra ?? {}), name);
  return taken === undefined ? name : `${taken}_`;
}

function longestKey(fields: Iterable<string>, name: string): string | undefined {
  return [...fields]
    .filter((field) => field.startsWith(name) && /^_*$/.test(field.slice(name.length)))
    .sort((a, b) => a.length - b.length)
    .at(-1);
}

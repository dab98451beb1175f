import { canonicalJson } from "../formats/json.ts";
import { FILL_COLUMNS, type FillColumn, type FillRow } from "./columns.ts";

/**
 * The `extra` cell: what the columns cannot hold, as a JSON object. Null if there is nothing. It holds
 * unknown fields and fields of the wrong type under the service's names. It also holds the exact text of
 * every cell that is not exact: a number that does not fit its type (the cell is null), text that is not
 * valid Unicode (the cell has U+FFFD), and a notional that does not fit.
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

/** The text that the column's cell cannot hold. Null if the cell holds everything. */
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

/** True if the text has no lone surrogate, which a cell shows as U+FFFD, and no U+FFFD itself. */
function isUnicode(text: string): boolean {
  return text.isWellFormed() && !hasReplacement(text);
}

/** Whether this cell may stand for text that is not valid Unicode. Then `extra` has the exact text. */
export function hasReplacement(cell: string): boolean {
  return cell.includes("\uFFFD");
}

type Named = Pick<FillColumn, "name" | "field">;

/** Removes the exact text of `column` from the fields of an `extra` cell and returns it. It must be there. */
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

/**
 * The column's name. If the service sent a field of that name, underscores are added, so that neither is
 * lost.
 */
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

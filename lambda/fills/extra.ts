import { canonicalJson } from "../formats/json.ts";
import { FILL_COLUMNS, type FillColumn, type FillRow } from "./columns.ts";

/**
 * The `extra` cell: what the columns cannot hold, as a JSON object. Null if there is nothing. It holds
 * unknown fields and fields of the wrong type under the service's names, and the exact text of every number
 * that does not fit its type: its cell is null.
 */
export function extraCell(row: FillRow): string | null {
  const { extra } = row.fill;
  const texts: (readonly [string, string])[] = [];
  for (const column of FILL_COLUMNS) {
    const text = exactText(column, row);
    if (text !== null) {
      texts.push([keyFor(extra, column.field ?? column.name), text]);
    }
  }
  return extra === null && texts.length === 0 ? null : canonicalJson({ ...extra, ...Object.fromEntries(texts) });
}

/** The number that the column's cell cannot hold. Null if the cell holds everything. */
function exactText(column: FillColumn, row: FillRow): string | null {
  return column.kind === "decimal" && column.value(row) === null ? column.text(row) : null;
}

/**
 * The column's name. If the service sent a field of that name, underscores are added, so that neither is
 * lost.
 */
function keyFor(extra: Readonly<Record<string, unknown>> | null, name: string): string {
  return extra !== null && Object.hasOwn(extra, name) ? keyFor(extra, `${name}_`) : name;
}

import type { Decimal } from "../core/decimal.ts";
import { canonicalJson } from "../formats/json.ts";
import { FILL_COLUMNS, type FillColumn, type FillRow, TEXT_COLUMNS } from "./columns.ts";

/**
 * The `extra` cell: what the columns cannot hold, as a JSON object, or null when there is nothing. It holds the service's unknown and wrongly
 * typed fields under the service's names, and the exact text of every value whose cell is not exact: of a number that does not fit its type
 * (its cell is null), of text that is not valid Unicode (its cell has U+FFFD there), and a notional that does not fit.
 */
export function extraCell(row: FillRow): string | null {
  const { extra } = row.fill;
  if (extra === null && isExact(row)) {
    return null;
  }
  const texts = FILL_COLUMNS.flatMap((column) => {
    const text = exactText(column, row);
    return text === null ? [] : [[keyFor(extra, nameIn(column)), text] as const];
  });
  if (texts.length === 0) {
    return extra === null ? null : canonicalJson(extra);
  }
  return canonicalJson({ ...extra, ...Object.fromEntries(texts) });
}

/** Whether every cell says it all. A row is nearly always, so this is what most of them cost. */
function isExact({ fill, quantity, price, notional, fee, triggerPrice }: FillRow): boolean {
  return (
    isRead(fill.quantity, quantity) &&
    isRead(fill.price, price) &&
    isRead(fill.fee, fee) &&
    isRead(fill.triggerPrice, triggerPrice) &&
    notional?.units !== null &&
    TEXT_COLUMNS.every(({ key }) => isUnicode(fill[key]))
  );
}

function isRead(text: string | null, value: Decimal | null): boolean {
  return text === null || value !== null;
}

/** Without a half of a pair, which a cell has as U+FFFD, and without that itself. */
function isUnicode(text: string | null): boolean {
  return text === null || (text.isWellFormed() && !hasReplacement(text));
}

/** The text that a column's cell cannot hold, or null when the cell says it all. */
function exactText(column: FillColumn, row: FillRow): string | null {
  if (column.kind === "decimal") {
    return column.value(row) === null ? column.text(row) : null;
  }
  if (column.kind === "text" && column.field !== null) {
    const text = column.value(row);
    return text !== null && hasReplacement(text.toWellFormed()) ? text : null;
  }
  return null;
}

/** Whether a cell of this text may stand for text that is not valid Unicode: then its exact text is in `extra`. */
export function hasReplacement(cell: string): boolean {
  return cell.includes("\uFFFD");
}

/** Takes the exact text of `column` out of the fields of an `extra` cell, where it must be. */
export function takeText(fields: Map<string, unknown>, column: FillColumn): string {
  const key = longestKey(fields.keys(), nameIn(column));
  const text = key === undefined ? undefined : fields.get(key);
  if (key === undefined || typeof text !== "string") {
    throw new TypeError(`extra: no text for ${column.name}`);
  }
  fields.delete(key);
  return text;
}

function nameIn({ field, name }: FillColumn): string {
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

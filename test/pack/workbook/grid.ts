import type { Decimal } from "decimal.js";
import { pythonReader } from "../python-reader.ts";
import { Exact } from "../sums.ts";

export interface ReadCell {
  readonly at: string;
  /** In openpyxl's terms: s: text, n: number, d: time */
  readonly type: string;
  /** Of a time, without a zone. */
  readonly value: string | null;
  readonly format: string;
}

export interface ReadSheet {
  readonly name: string;
  readonly frozen: string | null;
  readonly titles: string | null;
  readonly landscape: boolean;
  readonly fit: readonly unknown[];
  readonly cells: readonly ReadCell[];
}

export interface ReadWorkbook {
  readonly sheets: readonly ReadSheet[];
  readonly entries: readonly { readonly name: string; readonly time: readonly number[] }[];
  readonly broken: string | null;
  readonly title: string;
  readonly creator: string;
  readonly created: string;
  readonly modified: string;
}

const reader = await pythonReader(import.meta.dirname, "read.py", ".xlsx");

/** Why workbooks cannot be read; empty if they can. */
export const NO_READER = reader.missing;

/** Reads with openpyxl. */
export async function readWorkbook(bytes: Uint8Array): Promise<ReadWorkbook> {
  return (await reader.read([bytes])) as ReadWorkbook;
}

export function sheetOf(workbook: ReadWorkbook, name: string): ReadSheet {
  const sheet = workbook.sheets.find((one) => one.name === name);
  if (sheet === undefined) {
    throw new Error(`no sheet ${name}`);
  }
  return sheet;
}

/** A row by the heads in row 2: text unchanged, numbers as plain decimals, an empty cell as null. */
export type Row = Readonly<Record<string, string | null>>;

/** All rows below the heads. */
export function rowsOf(sheet: ReadSheet): Row[] {
  const heads = new Map(
    sheet.cells.flatMap(({ at, value }) => (/^[A-Z]+2$/.test(at) ? [[columnOf(at), value ?? ""]] : [])),
  );
  const empty = Object.fromEntries([...heads.values()].map((head) => [head, null]));
  const rows = new Map<number, Record<string, string | null>>();
  for (const cell of sheet.cells) {
    const row = Number(cell.at.replaceAll(/\D/g, ""));
    if (row > 2) {
      const held = rows.get(row) ?? { ...empty };
      held[heads.get(columnOf(cell.at)) ?? ""] = textOf(cell);
      rows.set(row, held);
    }
  }
  return [...rows.keys()].sort((a, b) => a - b).map((row) => rows.get(row) ?? empty);
}

function textOf({ type, value }: ReadCell): string | null {
  return value === null || type === "s" || type === "d" ? value : new Exact(value).toFixed();
}

function columnOf(at: string): string {
  return at.replaceAll(/\d/g, "");
}

/**
 * What a cell of 17 characters shows of an exact amount: at most 8 decimal places; a tiny or huge one with few or
 * 15 significant digits.
 */
export function shown(amount: Decimal): string {
  const exact = new Exact(amount);
  const digits = exact.trunc().abs().toFixed().length;
  const places = Math.min(8, 17 - (exact.lt(0) ? 1 : 0) - digits - Math.floor((digits - 1) / 3) - 1);
  if (!exact.isZero() && exact.abs().lt("1e-6")) {
    return exact.toSignificantDigits(6).toFixed();
  }
  const text = places < 2 ? exact.toSignificantDigits(15) : exact.toDecimalPlaces(places);
  return text.toFixed().replace(/^-0$/, "0");
}

import type { Decimal } from "decimal.js";
import { pythonReader } from "../python-reader.ts";
import { Exact } from "../sums.ts";

export interface ReadCell {
  readonly at: string;
  /** In openpyxl's terms: s: text, n: number, f: formula, d: time */
  readonly type: string;
  /** For a formula, the value stored with it; for a time, without a zone. */
  readonly value: string | null;
  readonly formula: string | null;
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

/** Cells by name. */
export type Grid = ReadonlyMap<string, ReadCell>;

export function sheetOf(workbook: ReadWorkbook, name: string): ReadSheet {
  const sheet = workbook.sheets.find((one) => one.name === name);
  if (sheet === undefined) {
    throw new Error(`no sheet ${name}`);
  }
  return sheet;
}

function gridOf(sheet: ReadSheet): Grid {
  return new Map(sheet.cells.map((cell) => [cell.at, cell]));
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

export function textOf({ type, value }: ReadCell): string | null {
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

/** The most that a formula's value may be off: each cell that it adds, and its stored value, is rounded to 8 places. */
export function roundingOf(formula: string): Decimal {
  const { first, last } = /\$(?<first>\d+):\$\w+\$(?<last>\d+)/.exec(formula)?.groups ?? {};
  const added = first === undefined ? formula.split(/[+-]/).length : Number(last) - Number(first) + 1;
  return new Exact("5e-9").times(added + 1);
}

/**
 * The exact value of a formula, from the values of the cells. It supports only the few forms that the
 * workbook may use.
 */
export function evaluate(workbook: ReadWorkbook, sheet: string, formula: string): Decimal {
  const { range, cell, values } =
    /^SUMPRODUCT\(EXACT\((?<range>[^,]*),(?<cell>[^)]*)\)\*1,(?<values>.*)\)$/.exec(formula)?.groups ?? {};
  if (range !== undefined) {
    return sumWhere(workbook, sheet, values ?? "", range, cell ?? "");
  }
  if (!/^[A-Z]+\d+([+-][A-Z]+\d+)*$/.test(formula)) {
    throw new Error(`not a formula of ours: ${formula}`);
  }
  const grid = gridOf(sheetOf(workbook, sheet));
  return [...formula.matchAll(/([+-]?)([A-Z]+\d+)/g)].reduce(
    (sum, [, sign, at = ""]) => sum.plus(numberAt(grid, at).times(sign === "-" ? -1 : 1)),
    new Exact(0),
  );
}

/** Texts are compared exactly. */
function sumWhere(workbook: ReadWorkbook, sheet: string, values: string, range: string, cell: string): Decimal {
  const wanted = gridOf(sheetOf(workbook, sheet)).get(cell.replaceAll("$", ""))?.value ?? "";
  const by = placeOf(workbook, sheet, range);
  const { grid, letter, first, last } = placeOf(workbook, sheet, values);
  let sum = new Exact(0);
  for (let row = first; row <= last; row += 1) {
    if ((by.grid.get(by.letter + row)?.value ?? "") === wanted) {
      sum = sum.plus(numberAt(grid, letter + row));
    }
  }
  return sum;
}

function placeOf(workbook: ReadWorkbook, sheet: string, range: string) {
  const { name, letter, first, last, other } =
    /^(?:'(?<name>[^']+)'!)?\$(?<letter>[A-Z]+)\$(?<first>\d+):\$(?<other>[A-Z]+)\$(?<last>\d+)$/.exec(range)?.groups ??
    {};
  if (letter === undefined || letter !== other) {
    throw new Error(`not a column: ${range}`);
  }
  return { grid: gridOf(sheetOf(workbook, name ?? sheet)), letter, first: Number(first), last: Number(last) };
}

function numberAt(grid: Grid, at: string): Decimal {
  const cell = grid.get(at);
  if (cell?.type === "s") {
    throw new Error(`${at} holds text`);
  }
  return new Exact(cell?.value ?? 0);
}

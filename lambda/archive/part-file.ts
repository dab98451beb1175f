import { FILL_COLUMNS, type FillColumn, type FillRow, rowOf } from "../fills/columns.ts";
import { extraCell, hasReplacement, takeText } from "../fills/extra.ts";
import type { Cell, Cells, ParquetColumn } from "../formats/parquet/table.ts";
import { decodeParquet, encodeParquet } from "../formats/parquet.ts";
import { type Decimal, formatUnits } from "../model/decimal.ts";
import type { Fill } from "../model/fill.ts";

/**
 * A part: the columns of fills.parquet, and last an internal one, `digits`, that keeps how the service wrote its numbers, so that a fill comes
 * back from its part exactly as it went in.
 */
export const PART_COLUMNS: readonly ParquetColumn[] = [
  ...FILL_COLUMNS,
  { name: "extra", kind: "text", repeats: true },
  { name: "digits", kind: "integer", required: true, repeats: true },
];

const NUMBERS = ["quantity", "price", "fee", "triggerPrice"] as const;

/**
 * `digits`, from bit 0: five bits for each of NUMBERS, the digits after the point of its text, or IN_EXTRA when its cell is null because the text
 * did not fit; then a bit for each that was written as a negative zero; then one that tells a fill without unknown fields from one with none left.
 */
const BITS = 5;
const IN_EXTRA = 31;
const NEGATIVE_ZERO_AT = BITS * NUMBERS.length;
const NO_EXTRA = 1 << (NEGATIVE_ZERO_AT + NUMBERS.length);

/** The whole file, rows in the order given. Equal fills give equal bytes. */
export function encodePart(account: string, fills: readonly Fill[]): Uint8Array {
  return encodeRows(fills.map((fill) => rowOf(account, fill)));
}

/** The same, where the fills' numbers are read already. */
export function encodeRows(rows: readonly FillRow[]): Uint8Array {
  return encodeParquet(PART_COLUMNS, [
    ...FILL_COLUMNS.map(({ value }): Cells => rows.map((row) => value(row))),
    rows.map(extraCell),
    rows.map(digitsCell),
  ]);
}

function digitsCell(row: FillRow): number {
  let digits = row.fill.extra === null ? NO_EXTRA : 0;
  for (const [at, name] of NUMBERS.entries()) {
    digits |= digitsOf(row.fill[name], row[name]) << (BITS * at);
    if (row[name]?.units === 0n && row.fill[name]?.startsWith("-") === true) {
      digits |= 1 << (NEGATIVE_ZERO_AT + at);
    }
  }
  return digits;
}

function digitsOf(text: string | null, value: Decimal | null): number {
  if (value !== null) {
    return value.digits;
  }
  return text === null ? 0 : IN_EXTRA;
}

/**
 * The exact inverse. Throws on bytes that are cut off or not a part. Check their hash first: the Parquet reader may hang on damaged ones, where a
 * wrong count makes it repeat a value for minutes.
 */
export function decodePart(bytes: Uint8Array): Fill[] {
  const table = decodeParquet(PART_COLUMNS, bytes);
  const rows = table[0]?.length ?? 0;
  return Array.from({ length: rows }, (_, row) => fillAt(table, row));
}

const AT = new Map(PART_COLUMNS.map(({ name }, at) => [name, at]));
const COLUMN = new Map(FILL_COLUMNS.map((column) => [column.name, column]));

function fillAt(table: readonly Cells[], row: number): Fill {
  const cell = (name: string) => table[AT.get(name) ?? -1]?.[row] ?? null;
  const digits = Number(cell("digits"));
  const extra = cell("extra");
  const fields = new Map<string, unknown>(typeof extra === "string" ? Object.entries(JSON.parse(extra)) : []);
  const text = (name: string) => textOf(name, cell(name), fields);
  const number = (name: string, at: number) => numberOf(name, cell(name), digits, at, fields);
  const fill = {
    matchId: text("match_id") ?? "",
    orderId: text("order_id") ?? "",
    txCreated: Number(cell("tx_created")),
    filledAt: timeOf(cell("filled_at")),
    market: text("market"),
    side: text("side"),
    liquidity: text("liquidity"),
    tradeType: text("trade_type"),
    fillType: text("fill_type"),
    triggerType: text("trigger_type"),
    transactionHash: text("transaction_hash"),
    quantity: number("quantity", 0),
    price: number("price", 1),
    fee: number("fee", 2),
    triggerPrice: number("trigger_price", 3),
  };
  if (fields.size > 0 && cell("notional") === null && rowOf("", { ...fill, extra: null }).notional !== null) {
    takeText(fields, columnOf("notional"));
  }
  return { ...fill, extra: (digits & NO_EXTRA) === 0 ? Object.fromEntries(fields) : null };
}

function textOf(name: string, cell: Cell, fields: Map<string, unknown>): string | null {
  return typeof cell === "string" && hasReplacement(cell) ? takeText(fields, columnOf(name)) : (cell as string | null);
}

function timeOf(cell: Cell): number | null {
  return cell === null ? null : Number(cell);
}

/** `at`: the place of the number in NUMBERS. */
function numberOf(name: string, cell: Cell, digits: number, at: number, fields: Map<string, unknown>): string | null {
  const places = (digits >> (BITS * at)) & IN_EXTRA;
  if (places === IN_EXTRA) {
    return takeText(fields, columnOf(name));
  }
  if (typeof cell !== "bigint") {
    return null;
  }
  const text = formatUnits(cell, places);
  return ((digits >> (NEGATIVE_ZERO_AT + at)) & 1) === 1 ? `-${text}` : text;
}

function columnOf(name: string): FillColumn {
  const column = COLUMN.get(name);
  if (column === undefined) {
    throw new TypeError(`no column ${name}`);
  }
  return column;
}

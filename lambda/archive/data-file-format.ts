import { type Decimal, formatUnits } from "../core/decimal.ts";
import { PackedFill } from "../core/fast/packed-fill.ts";
import { type Fill, plainFill } from "../core/fill.ts";
import type { FillFields, PlainFill } from "../core/plain-fill.ts";
import { FillBuffers } from "../fills/buffers.ts";
import { CELL_COLUMNS, cellsOf } from "../fills/cells.ts";
import { FILL_COLUMNS, type FillRow, NUMBER_COLUMNS, rowOf, TEXT_COLUMNS } from "../fills/columns.ts";
import { exceptionsOfRow } from "../fills/exceptions.ts";
import { hasReplacement, takeText } from "../fills/extra.ts";
import { PackedRow } from "../fills/fast/packed-row.ts";
import type { BytesColumn } from "../formats/parquet/column-buffers.ts";
import { type ColumnValue, type ColumnValues, GROUP_ROWS, type ParquetColumn } from "../formats/parquet/table.ts";
import { decodeParquet, decodeParquetColumns, ParquetFile, workspaceFor } from "../formats/parquet.ts";
import { DataFileSums } from "./data-file-sums.ts";

/**
 * A data file has the columns of fills.parquet and one internal column, `digits`, which keeps how the service
 * wrote each number. A fill therefore comes back from its data file exactly as it went in.
 */
export const DATA_FILE_COLUMNS: readonly ParquetColumn[] = [
  ...CELL_COLUMNS,
  { name: "digits", kind: "integer", required: true, repeats: true },
];

/**
 * The bits of `digits`, from bit 0: five bits for each of NUMBER_COLUMNS (the digits after the point of its
 * text, or IN_EXTRA if the text did not fit and the cell is null); then one bit each for a negative zero;
 * then one bit that is set if the fill has no unknown fields (`extra` is null rather than empty).
 */
const BITS = 5;
const IN_EXTRA = 31;
const NEGATIVE_ZERO_AT = BITS * NUMBER_COLUMNS.length;
const NO_EXTRA = 1 << (NEGATIVE_ZERO_AT + NUMBER_COLUMNS.length);

/** The bytes of a data file, and what the manifest says of its rows. */
export interface EncodedDataFile {
  readonly bytes: Uint8Array;
  /** The number of fills that have exceptions. */
  readonly exceptions: number;
  readonly sums: DataFileSums;
}

/** Encodes data files one after the other and reuses its memory. */
export class DataFileEncoder {
  readonly #workspace = workspaceFor(DATA_FILE_COLUMNS);
  readonly #digits = this.#workspace.buffers.at(-1) as BytesColumn;
  readonly #packedRow = new PackedRow();

  /** The whole file, with rows in the given order. Equal fills give equal bytes. */
  encode(account: string, fills: readonly Fill[]): EncodedDataFile {
    const file = new ParquetFile(DATA_FILE_COLUMNS, this.#workspace);
    const rows = new FillBuffers(account, this.#workspace.buffers);
    const sums = new DataFileSums(fills.length);
    let exceptions = 0;
    for (let from = 0; from < fills.length; from += GROUP_ROWS) {
      const group = fills.slice(from, from + GROUP_ROWS);
      exceptions += group.filter((fill) => !this.#addFill(fill, rows, sums)).length;
      file.endGroup();
    }
    file.end();
    return { bytes: file.take(), exceptions, sums };
  }

  /** Returns true if the fill has no exceptions. */
  #addFill(fill: Fill, rows: FillBuffers, sums: DataFileSums): boolean {
    const packedRow = this.#packedRow;
    if (fill instanceof PackedFill && fill.extra === null && packedRow.read(fill)) {
      sums.add(fill);
      rows.addPacked(packedRow);
      this.#digits.addInteger(packedDigits(packedRow));
      return packedRow.isSound || exceptionsOfRow(rowOf(rows.account, fill)).length === 0;
    }
    const row = rowOf(rows.account, plainFill(fill));
    sums.add(row.fill);
    rows.add(cellsOf(row));
    this.#digits.addInteger(digitsCell(row));
    return exceptionsOfRow(row).length === 0;
  }
}

function packedDigits({ quantity, price, fee, triggerPrice }: PackedRow): number {
  return (
    bitsOf(quantity.digits, quantity.isNegativeZero, 0) |
    bitsOf(price.digits, price.isNegativeZero, 1) |
    bitsOf(fee.digits, fee.isNegativeZero, 2) |
    bitsOf(triggerPrice.digits, triggerPrice.isNegativeZero, 3) |
    NO_EXTRA
  );
}

function digitsCell(row: FillRow): number {
  const { fill } = row;
  return (
    digitsOf(fill.quantity, row.quantity, 0) |
    digitsOf(fill.price, row.price, 1) |
    digitsOf(fill.fee, row.fee, 2) |
    digitsOf(fill.triggerPrice, row.triggerPrice, 3) |
    (fill.extra === null ? NO_EXTRA : 0)
  );
}

/** `at`: the index of the number in NUMBER_COLUMNS. */
function digitsOf(text: string | null, value: Decimal | null, at: number): number {
  if (text === null) {
    return 0;
  }
  const isNegativeZero = text.startsWith("-") && value?.units === 0n;
  return bitsOf(value?.digits ?? IN_EXTRA, isNegativeZero, at);
}

function bitsOf(digits: number, isNegativeZero: boolean, at: number): number {
  return (digits << (BITS * at)) | (isNegativeZero ? 1 << (NEGATIVE_ZERO_AT + at) : 0);
}

/** The exact inverse of `encode`. Throws if the bytes are cut off or are not a data file. */
export function decodeDataFile(bytes: Uint8Array): PlainFill[] {
  const cells = cellsByName(decodeParquet(DATA_FILE_COLUMNS, bytes));
  return cells.digits.map((cell, row) => {
    const digits = cell as number;
    const fill: PlainFill = {
      matchId: cells.matchId[row] as string,
      orderId: cells.orderId[row] as string,
      txCreated: cells.txCreated[row] as number,
      filledAt: cells.filledAt[row] as number | null,
      market: cells.market[row] as string | null,
      side: cells.side[row] as string | null,
      liquidity: cells.liquidity[row] as string | null,
      tradeType: cells.tradeType[row] as string | null,
      fillType: cells.fillType[row] as string | null,
      triggerType: cells.triggerType[row] as string | null,
      transactionHash: cells.transactionHash[row] as string | null,
      quantity: numberText(cells.quantity[row], digits, 0),
      price: numberText(cells.price[row], digits, 1),
      fee: numberText(cells.fee[row], digits, 2),
      triggerPrice: numberText(cells.triggerPrice[row], digits, 3),
      extra: null,
    };
    const kept = cells.extra[row] as string | null;
    return kept === null ? fill : withExtra(fill, kept, { digits, notional: cells.notional[row] ?? null });
  });
}

/**
 * The identities of the rows, in order. Only two columns are read. Text that is not valid Unicode contains
 * U+FFFD. Throws as `decodeDataFile` does.
 */
export function decodeIdentities(bytes: Uint8Array): readonly Pick<Fill, "matchId" | "orderId">[] {
  const [matchIds = [], orderIds = []] = decodeParquetColumns(DATA_FILE_COLUMNS, ["match_id", "order_id"], bytes);
  return matchIds.map((matchId, row) => ({ matchId: matchId as string, orderId: orderIds[row] as string }));
}

/** The cells by the field names of a fill. */
function cellsByName(table: readonly ColumnValues[]) {
  const names = [...FILL_COLUMNS.map(({ key, name }) => key ?? name), "extra", "digits"];
  return Object.fromEntries(names.map((name, at) => [name, table[at]])) as Readonly<
    Record<keyof FillFields | "notional" | "digits", ColumnValues>
  >;
}

/** The number as the service wrote it; null if there is no cell. `at`: its index in NUMBER_COLUMNS. */
function numberText(cell: ColumnValue | undefined, digits: number, at: number): string | null {
  if (typeof cell !== "bigint") {
    return null;
  }
  const places = (digits >> (BITS * at)) & IN_EXTRA;
  // A shortcut: nearly all trigger prices are 0.
  const text = cell === 0n && places === 0 ? "0" : formatUnits(cell, places);
  return ((digits >> (NEGATIVE_ZERO_AT + at)) & 1) === 1 ? `-${text}` : text;
}

/** Adds to a fill what its cells could not hold and `extra` holds. */
function withExtra(
  cells: PlainFill,
  kept: string,
  { digits, notional }: { readonly digits: number; readonly notional: ColumnValue },
): PlainFill {
  const fields = new Map<string, unknown>(Object.entries(JSON.parse(kept)));
  const texts = TEXT_COLUMNS.flatMap((column) => {
    const cell = cells[column.key];
    return cell !== null && hasReplacement(cell) ? [[column.key, takeText(fields, column)] as const] : [];
  });
  const numbers = NUMBER_COLUMNS.flatMap((column, at) =>
    ((digits >> (BITS * at)) & IN_EXTRA) === IN_EXTRA ? [[column.key, takeText(fields, column)] as const] : [],
  );
  const fill: PlainFill = { ...cells, ...Object.fromEntries([...texts, ...numbers]) };
  if (fields.size > 0 && notional === null && rowOf("", fill).notional !== null) {
    takeText(fields, { name: "notional", field: null });
  }
  return { ...fill, extra: (digits & NO_EXTRA) === 0 ? Object.fromEntries(fields) : null };
}

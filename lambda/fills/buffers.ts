import { multiply, SCALE } from "../core/decimal.ts";
import { PLACE } from "../core/fast/packed-fill.ts";
import { canonicalJson } from "../formats/json.ts";
import { addCell, type BytesColumn, type ColumnBuffer, type TimesColumn } from "../formats/parquet/column-buffers.ts";
import type { ColumnValue, ParquetColumn } from "../formats/parquet/table.ts";
import { CELL_COLUMNS } from "./cells.ts";
import { NUMBER_COLUMNS, TEXT_COLUMNS } from "./columns.ts";
import type { PackedNumber, PackedRow } from "./fast/packed-row.ts";

/** Writes rows into the buffers of CELL_COLUMNS. */
export class FillBuffers {
  readonly account: string;
  readonly #account: Uint8Array;
  readonly #buffers: readonly ColumnBuffer[];
  readonly #columns: ReturnType<typeof columnsOf>;

  /** `account` is a label, so it is ASCII. */
  constructor(account: string, buffers: readonly ColumnBuffer[]) {
    this.account = account;
    this.#account = Buffer.from(account);
    this.#buffers = buffers;
    this.#columns = columnsOf(buffers);
  }

  /** Adds a row, cell by cell in the order of CELL_COLUMNS. */
  add(cells: readonly ColumnValue[]): void {
    for (let at = 0; at < CELL_COLUMNS.length; at += 1) {
      addCell(CELL_COLUMNS[at] as ParquetColumn, cells[at] as ColumnValue, this.#buffers[at] as ColumnBuffer);
    }
  }

  addPacked(row: PackedRow): void {
    const { fill, quoteStart } = row;
    const { bytes } = fill;
    const columns = this.#columns;
    columns.filledAt.add(fill.filledAt);
    columns.txCreated.add(fill.txCreated);
    columns.account.addAscii(this.#account, 0, this.#account.length);
    for (const [column, place] of columns.texts) {
      column.addAscii(bytes, fill.start(place), fill.end(place));
    }
    for (const [key, column] of columns.numbers) {
      addNumber(row[key], column);
    }
    this.#addNotional(row);
    if (quoteStart === null) {
      columns.currency.addNull();
    } else {
      columns.currency.addAscii(bytes, quoteStart, fill.end(PLACE.market));
    }
  }

  /** Adds the notional. If it does not fit, its exact text goes into `extra`. */
  #addNotional({ quantity, price }: PackedRow): void {
    const { notional, extra } = this.#columns;
    const digits = quantity.digits + price.digits;
    const coefficient = price.coefficient * quantity.coefficient;
    if (digits <= SCALE && Number.isSafeInteger(coefficient)) {
      notional.addShortDecimal(coefficient, digits);
      extra.addNull();
      return;
    }
    const { units, text } = multiply(price.decimal, quantity.decimal);
    if (units === null) {
      notional.addNull();
      extra.addText(canonicalJson({ notional: text }));
    } else {
      notional.addDecimal(units);
      extra.addNull();
    }
  }
}

function columnsOf(buffers: readonly ColumnBuffer[]) {
  const named = new Map(CELL_COLUMNS.map(({ name }, at) => [name, buffers[at] as ColumnBuffer]));
  const bytes = (name: string) => named.get(name) as BytesColumn;
  return {
    filledAt: named.get("filled_at") as TimesColumn,
    txCreated: named.get("tx_created") as TimesColumn,
    account: bytes("account"),
    currency: bytes("fee_currency"),
    notional: bytes("notional"),
    extra: bytes("extra"),
    texts: TEXT_COLUMNS.map(({ name, key }) => [bytes(name), PLACE[key]] as const),
    numbers: NUMBER_COLUMNS.map(({ name, key }) => [key, bytes(name)] as const),
  };
}

function addNumber(number: PackedNumber, column: BytesColumn): void {
  const { coefficient } = number;
  if (Number.isNaN(coefficient)) {
    column.addDecimal(number.decimal.units);
  } else {
    column.addShortDecimal(coefficient, number.digits);
  }
}

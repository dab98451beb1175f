import { multiply, SCALE } from "../core/decimal.ts";
import { PLACE } from "../core/fast/packed-fill.ts";
import { canonicalJson } from "../formats/json.ts";
import { addCell, type BytesColumn, type ColumnBuffer, type TimesColumn } from "../formats/parquet/column-buffers.ts";
import type { Cell, ParquetColumn } from "../formats/parquet/table.ts";
import { CELL_COLUMNS } from "./cells.ts";
import { TEXT_COLUMNS } from "./columns.ts";
import type { PackedNumber, PackedRow } from "./fast/packed-row.ts";

/** Writes rows into the buffers of CELL_COLUMNS. */
export class FillBuffers {
  readonly account: string;
  readonly #account: Uint8Array;
  readonly #buffers: readonly ColumnBuffer[];
  readonly #texts: readonly (readonly [BytesColumn, number])[];
  readonly #filledAt: TimesColumn;
  readonly #txCreated: TimesColumn;
  readonly #accounts: BytesColumn;
  readonly #currencies: BytesColumn;
  readonly #quantities: BytesColumn;
  readonly #prices: BytesColumn;
  readonly #notionals: BytesColumn;
  readonly #fees: BytesColumn;
  readonly #triggerPrices: BytesColumn;
  readonly #extras: BytesColumn;

  /** `account`: a label, so ASCII. */
  constructor(account: string, buffers: readonly ColumnBuffer[]) {
    const named = new Map(CELL_COLUMNS.map(({ name }, at) => [name, buffers[at] as ColumnBuffer]));
    const bytes = (name: string) => named.get(name) as BytesColumn;
    this.account = account;
    this.#account = Buffer.from(account);
    this.#buffers = buffers;
    this.#filledAt = named.get("filled_at") as TimesColumn;
    this.#txCreated = named.get("tx_created") as TimesColumn;
    this.#accounts = bytes("account");
    this.#currencies = bytes("fee_currency");
    this.#quantities = bytes("quantity");
    this.#prices = bytes("price");
    this.#notionals = bytes("notional");
    this.#fees = bytes("fee");
    this.#triggerPrices = bytes("trigger_price");
    this.#extras = bytes("extra");
    this.#texts = TEXT_COLUMNS.map(({ name, key }) => [bytes(name), PLACE[key]]);
  }

  /** The cells of a row, by CELL_COLUMNS. */
  add(cells: readonly Cell[]): void {
    for (let at = 0; at < CELL_COLUMNS.length; at += 1) {
      addCell(CELL_COLUMNS[at] as ParquetColumn, cells[at] as Cell, this.#buffers[at] as ColumnBuffer);
    }
  }

  addPacked(row: PackedRow): void {
    const { fill } = row;
    const { bytes } = fill;
    this.#filledAt.add(fill.filledAt);
    this.#txCreated.add(fill.txCreated);
    this.#accounts.addAscii(this.#account, 0, this.#account.length);
    for (const [column, place] of this.#texts) {
      column.addAscii(bytes, fill.start(place), fill.end(place));
    }
    addNumber(row.quantity, this.#quantities);
    addNumber(row.price, this.#prices);
    addNumber(row.fee, this.#fees);
    addNumber(row.triggerPrice, this.#triggerPrices);
    this.#addNotional(row);
    const { quoteStart } = row;
    if (quoteStart === null) {
      this.#currencies.addNull();
    } else {
      this.#currencies.addAscii(bytes, quoteStart, fill.end(PLACE.market));
    }
  }

  /** And `extra`, which has its exact text where it does not fit. */
  #addNotional({ quantity, price }: PackedRow): void {
    const digits = quantity.digits + price.digits;
    const coefficient = price.coefficient * quantity.coefficient;
    if (digits <= SCALE && Number.isSafeInteger(coefficient)) {
      this.#notionals.addShortDecimal(coefficient, digits);
      this.#extras.addNull();
      return;
    }
    const { units, text } = multiply(price.decimal, quantity.decimal);
    if (units === null) {
      this.#notionals.addNull();
      this.#extras.addText(canonicalJson({ notional: text }));
    } else {
      this.#notionals.addDecimal(units);
      this.#extras.addNull();
    }
  }
}

function addNumber(number: PackedNumber, column: BytesColumn): void {
  const { coefficient } = number;
  if (Number.isNaN(coefficient)) {
    column.addDecimal(number.decimal.units);
  } else {
    column.addShortDecimal(coefficient, number.digits);
  }
}

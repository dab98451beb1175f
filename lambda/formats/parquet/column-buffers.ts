import { fits, shortToBytes, unitsToBytes } from "../../core/decimal.ts";
import { ByteSink } from "./byte-sink.ts";
import { Levels } from "./levels.ts";
import { BYTES_PER_DECIMAL, type ColumnValue, GROUP_ROWS, type ParquetColumn } from "./table.ts";

/**
 * A dictionary is checked after every JUDGED_EVERY values. It is given up if more than this share of the
 * values are distinct.
 */
const JUDGED_EVERY = 1024;
const MOST_DISTINCT = 0.75;

const SLOT_BITS = 15; // more than twice the rows of a group
const FNV_PRIME = 0x01_00_01_93;
const FNV_BASIS = 0x81_1c_9d_c5;
const INT32_LIMIT = 2 ** 31;

/**
 * The cells of one group of rows in Parquet's plain form: texts, decimals, integers. If values repeat, it
 * holds a dictionary and each row's index into it.
 */
export class BytesColumn {
  readonly cells = new Levels();
  readonly #column: ParquetColumn;
  /** All values, or the values of the dictionary. */
  readonly values = new ByteSink();
  /** The start of each dictionary value in `values`, and of the next one. */
  readonly #starts: Uint32Array;
  /** The dictionary index of each value. */
  readonly #indices: Uint32Array;
  /** A hash table: dictionary indices plus one, by the hashes of their values. 0: free. */
  readonly #slots: Int32Array;
  /** Dictionary indices by text, for texts added with `addText`. */
  readonly #places = new Map<string, number>();
  #distinct = 0;
  /** Values so far, without nulls. */
  #count = 0;
  #isDictionary: boolean;

  constructor(column: ParquetColumn) {
    this.#column = column;
    this.#isDictionary = column.repeats === true;
    const rows = this.#isDictionary ? GROUP_ROWS : 0;
    this.#starts = new Uint32Array(rows + 1);
    this.#indices = new Uint32Array(rows);
    this.#slots = new Int32Array(this.#isDictionary ? 1 << SLOT_BITS : 0);
  }

  /** The size of the dictionary. Null: there is none, because too few values repeat. */
  get distinct(): number | null {
    if (this.#isDictionary) {
      this.#judge();
    }
    return this.#isDictionary ? this.#distinct : null;
  }

  get indices(): Uint32Array {
    return this.#indices.subarray(0, this.#count);
  }

  addNull(): void {
    if (this.#column.required === true) {
      throw new TypeError(`${this.#column.name}: a required cell is null`);
    }
    this.cells.add(0);
  }

  /** Adds an ASCII text. */
  addAscii(source: Uint8Array, from: number, to: number): void {
    const { values } = this;
    const size = to - from;
    if (this.#isSameAsLast(source, from, size)) {
      this.#repeat(this.#indices[this.#count - 1] as number);
      return;
    }
    const start = values.room(4 + size);
    values.view.setUint32(start, size, true);
    const { bytes } = values;
    let end = start + 4;
    for (let at = from; at < to; at += 1) {
      bytes[end] = source[at] as number;
      end += 1;
    }
    values.length = end;
    this.#take(start);
  }

  addText(text: string): void {
    const known = this.#isDictionary ? this.#places.get(text) : undefined;
    if (known !== undefined) {
      this.#repeat(known);
      return;
    }
    const start = this.values.length;
    this.values.text(text);
    this.#take(start);
    if (this.#isDictionary) {
      this.#places.set(text, this.#indices[this.#count - 1] as number);
    }
  }

  /** `units`: the value × 10^18. */
  addDecimal(units: bigint): void {
    if (!fits(units)) {
      throw new RangeError(`${this.#column.name}: not a DECIMAL(38,18): ${units}`);
    }
    const start = this.values.room(BYTES_PER_DECIMAL);
    unitsToBytes(units, this.values.view, start);
    this.values.length += BYTES_PER_DECIMAL;
    this.#take(start);
  }

  /** The value is coefficient / 10^digits; see `shortToBytes`. */
  addShortDecimal(coefficient: number, digits: number): void {
    const start = this.values.room(BYTES_PER_DECIMAL);
    shortToBytes(coefficient, digits, this.values.view, start);
    this.values.length += BYTES_PER_DECIMAL;
    this.#take(start);
  }

  addInteger(value: number): void {
    if (!Number.isInteger(value) || value < -INT32_LIMIT || value >= INT32_LIMIT) {
      throw new RangeError(`${this.#column.name}: not a small integer: ${value}`);
    }
    const start = this.values.length;
    this.values.uint32(value >>> 0);
    this.#take(start);
  }

  /** Adds a value that the dictionary has already. */
  #repeat(place: number): void {
    this.cells.add(1);
    this.#indices[this.#count] = place;
    this.#count += 1;
    this.#judgeWhenDue();
  }

  #isSameAsLast(source: Uint8Array, from: number, size: number): boolean {
    if (!this.#isDictionary || this.#count === 0) {
      return false;
    }
    const place = this.#indices[this.#count - 1] as number;
    const start = (this.#starts[place] as number) + 4;
    if ((this.#starts[place + 1] as number) - start !== size) {
      return false;
    }
    const { bytes } = this.values;
    for (let at = 0; at < size; at += 1) {
      if (bytes[start + at] !== source[from + at]) {
        return false;
      }
    }
    return true;
  }

  /** Makes the bytes from `start` on the next cell's value. */
  #take(start: number): void {
    this.cells.add(1);
    this.#count += 1;
    if (this.#isDictionary) {
      const end = this.values.length;
      const place = this.#placeOf(start, end);
      this.#indices[this.#count - 1] = place;
      if (place < this.#distinct) {
        this.values.length = start;
      } else {
        this.#distinct += 1;
        this.#starts[this.#distinct] = end;
      }
      this.#judgeWhenDue();
    }
  }

  /** The value's dictionary index. A new value gets the next index. */
  #placeOf(start: number, end: number): number {
    const { bytes } = this.values;
    let hash = FNV_BASIS;
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
    }
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> SLOT_BITS)) & mask; ; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1;
      if (place === -1) {
        this.#slots[slot] = this.#distinct + 1;
        return this.#distinct;
      }
      if (this.#isValue(place, start, end)) {
        return place;
      }
    }
  }

  #isValue(place: number, start: number, end: number): boolean {
    const known = this.#starts[place] as number;
    if ((this.#starts[place + 1] as number) - known !== end - start) {
      return false;
    }
    const { bytes } = this.values;
    for (let at = start; at < end; at += 1) {
      if (bytes[known + at - start] !== bytes[at]) {
        return false;
      }
    }
    return true;
  }

  #judgeWhenDue(): void {
    if (this.#count % JUDGED_EVERY === 0) {
      this.#judge();
    }
  }

  #judge(): void {
    if (this.#distinct > MOST_DISTINCT * this.#count) {
      this.#giveUp();
    }
  }

  /** Replaces the dictionary by all values, one after the other. */
  #giveUp(): void {
    const dictionary = Buffer.from(this.values.written());
    this.values.clear();
    this.#places.clear();
    for (const place of this.indices) {
      this.values.append(dictionary.subarray(this.#starts[place], this.#starts[place + 1]));
    }
    this.#isDictionary = false;
  }

  clear(): void {
    this.cells.clear();
    this.values.clear();
    this.#isDictionary = this.#column.repeats === true;
    if (this.#distinct > 0) {
      this.#slots.fill(0);
      this.#places.clear();
    }
    this.#distinct = 0;
    this.#count = 0;
  }
}

export class TimesColumn {
  readonly cells = new Levels();
  readonly #column: ParquetColumn;
  readonly #times = new Float64Array(GROUP_ROWS);

  constructor(column: ParquetColumn) {
    this.#column = column;
  }

  get times(): Float64Array {
    return this.#times.subarray(0, this.cells.rows - this.cells.nulls);
  }

  /** `time`: ms UTC. */
  add(time: number | null): void {
    const { name, required } = this.#column;
    if (time === null && required === true) {
      throw new TypeError(`${name}: a required cell is null`);
    }
    this.cells.add(time === null ? 0 : 1);
    if (time !== null) {
      if (!Number.isSafeInteger(time)) {
        throw new RangeError(`${name}: not a time in ms: ${time}`);
      }
      this.#times[this.cells.rows - this.cells.nulls - 1] = time;
    }
  }

  clear(): void {
    this.cells.clear();
  }
}

export type ColumnBuffer = BytesColumn | TimesColumn;

export function bufferFor(column: ParquetColumn): ColumnBuffer {
  return column.kind === "time" ? new TimesColumn(column) : new BytesColumn(column);
}

/** Throws if the cell is not of its column's kind. */
export function addCell({ name, kind }: ParquetColumn, cell: ColumnValue, buffer: ColumnBuffer): void {
  if (buffer instanceof TimesColumn) {
    buffer.add(cell as number | null);
  } else if (cell === null) {
    buffer.addNull();
  } else if (kind === "text" && typeof cell === "string") {
    buffer.addText(cell);
  } else if (kind === "decimal" && typeof cell === "bigint") {
    buffer.addDecimal(cell);
  } else if (kind === "integer" && typeof cell === "number") {
    buffer.addInteger(cell);
  } else {
    throw new TypeError(`${name}: not ${kind}: ${cell}`);
  }
}

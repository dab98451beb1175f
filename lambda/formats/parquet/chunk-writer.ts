import { fits, unitsToBytes } from "../../model/decimal.ts";
import { ByteSink } from "./byte-sink.ts";
import { hasSmallDeltas, writeDeltas } from "./delta.ts";
import { writeHybrid, writeRun } from "./hybrid.ts";
import { compress } from "./snappy.ts";
import {
  BYTES_PER_DECIMAL,
  bitsFor,
  type Cell,
  type Cells,
  CODEC,
  ENCODING,
  PAGE,
  type ParquetColumn,
} from "./table.ts";
import { writeFields } from "./thrift.ts";

/** What the footer says of one column in one group of rows. */
export interface Chunk {
  /** Where its first page begins in the file. */
  readonly at: number;
  /** Where its data page begins: behind the dictionary, where there is one. */
  readonly dataAt: number;
  readonly hasDictionary: boolean;
  readonly encoding: number;
  readonly codec: number;
  readonly bytes: number;
  readonly uncompressedBytes: number;
  readonly nulls: number;
  /** Of times only: readers compare text by other rules than one another, and a wrong bound hides rows from a query. */
  readonly bounds: { readonly least: number; readonly most: number } | null;
}

/** Rows after which a dictionary is judged, and the share of new values among them above which it is not worth its place. */
const JUDGED_EVERY = 1024;
const MOST_DISTINCT = 0.75;

/** A page is compressed if its beginning loses a quarter: random ids and hashes in hexadecimal lose a tenth, and cost as much to compress as all else. */
const SAMPLE_BYTES = 4096;
const LEAST_SAVING = 0.25;

/** Kept from one chunk to the next. */
const page = new ByteSink();
const dictionaryPage = new ByteSink();
const packed = new ByteSink();

/** Writes the cells of a group as a chunk: a dictionary, if it is worth it, and a data page. `fileAt`: where `out` begins in the file. */
export function writeChunk(column: ParquetColumn, cells: Cells, out: ByteSink, fileAt: number): Chunk {
  const values = cells.includes(null) ? cells.filter((cell) => cell !== null) : cells;
  page.clear();
  writeLevels(column, cells, values.length);
  const dictionary = column.repeats === true ? dictionaryOf(values) : null;
  const at = fileAt + out.length;
  let encoding: number = ENCODING.dictionary;
  dictionaryPage.clear();
  if (dictionary === null) {
    encoding = writeValues(column, values, page);
  } else {
    writePlain(column, [...dictionary.places.keys()], dictionaryPage);
    const width = bitsFor(Math.max(0, dictionary.places.size - 1));
    page.byte(width);
    writeHybrid(dictionary.indices, width, page);
  }
  const largest = dictionaryPage.length > page.length ? dictionaryPage : page;
  const codec = isWorthCompressing(largest) ? CODEC.snappy : CODEC.uncompressed;
  let uncompressedBytes = 0;
  if (dictionary !== null) {
    uncompressedBytes += writePage(dictionaryPage, codec, out, (sizes) => ({
      1: PAGE.dictionary,
      ...sizes,
      7: { 1: dictionary.places.size, 2: ENCODING.plain },
    }));
  }
  const dataAt = fileAt + out.length;
  uncompressedBytes += writePage(page, codec, out, (sizes) => ({
    1: PAGE.data,
    ...sizes,
    5: { 1: cells.length, 2: encoding, 3: ENCODING.rle, 4: ENCODING.rle },
  }));
  return {
    at,
    dataAt,
    hasDictionary: dictionary !== null,
    encoding,
    codec,
    bytes: fileAt + out.length - at,
    uncompressedBytes,
    nulls: cells.length - values.length,
    bounds: column.kind === "time" ? boundsOf(values) : null,
  };
}

/** Which cells are there, behind the length of what says so. */
function writeLevels({ name, required }: ParquetColumn, cells: Cells, values: number): void {
  if (required === true) {
    if (values < cells.length) {
      throw new TypeError(`${name}: a cell is missing`);
    }
    return;
  }
  const at = page.room(4);
  page.length += 4;
  if (values === cells.length) {
    writeRun(1, cells.length, 1, page);
  } else {
    const levels = new Uint32Array(cells.length);
    for (let row = 0; row < cells.length; row += 1) {
      levels[row] = cells[row] === null ? 0 : 1;
    }
    writeHybrid(levels, 1, page);
  }
  page.view.setUint32(at, page.length - at - 4, true);
}

interface Dictionary {
  /** Of each value in the dictionary, in the order of their first appearance. */
  readonly places: ReadonlyMap<Cell, number>;
  /** Of each cell, its value's place. */
  readonly indices: Uint32Array;
}

/** Null where too few values repeat. */
function dictionaryOf(values: Cells): Dictionary | null {
  const places = new Map<Cell, number>();
  const indices = new Uint32Array(values.length);
  let last: Cell = null;
  let place = 0;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? null;
    if (value !== last) {
      place = places.get(value) ?? places.size;
      if (place === places.size) {
        places.set(value, place);
      }
      last = value;
    }
    indices[row] = place;
    if ((row + 1) % JUDGED_EVERY === 0 && places.size > MOST_DISTINCT * (row + 1)) {
      return null;
    }
  }
  return places.size > MOST_DISTINCT * values.length ? null : { places, indices };
}

/** Says by which encoding. */
function writeValues(column: ParquetColumn, values: Cells, out: ByteSink): number {
  if (column.kind === "time") {
    const times = new Float64Array(values.length);
    for (let row = 0; row < values.length; row += 1) {
      times[row] = wholeNumber(column, values[row] ?? null);
    }
    if (hasSmallDeltas(times)) {
      writeDeltas(times, out);
      return ENCODING.deltaBinaryPacked;
    }
  }
  writePlain(column, values, out);
  return ENCODING.plain;
}

function writePlain(column: ParquetColumn, values: Cells, out: ByteSink): void {
  switch (column.kind) {
    case "text":
      for (const value of values) {
        out.text(value as string);
      }
      break;
    case "decimal":
      writeDecimals(column, values, out);
      break;
    case "time":
      for (const value of values) {
        out.int64(wholeNumber(column, value));
      }
      break;
    case "integer":
      for (const value of values) {
        out.uint32(wholeNumber(column, value) >>> 0);
      }
      break;
  }
}

/** Two's complement, big-endian. */
function writeDecimals({ name }: ParquetColumn, values: Cells, out: ByteSink): void {
  out.room(values.length * BYTES_PER_DECIMAL);
  for (const value of values) {
    if (typeof value !== "bigint" || !fits(value)) {
      throw new RangeError(`${name}: not a DECIMAL(38,18): ${value}`);
    }
    unitsToBytes(value, out.view, out.length);
    out.length += BYTES_PER_DECIMAL;
  }
}

const INT32_LIMIT = 2 ** 31;

function wholeNumber({ name, kind }: ParquetColumn, value: Cell): number {
  const limit = kind === "integer" ? INT32_LIMIT : Number.MAX_SAFE_INTEGER;
  if (typeof value !== "number" || !Number.isInteger(value) || value < -limit || value >= limit) {
    throw new RangeError(`${name}: not ${kind === "integer" ? "a small integer" : "a time in ms"}: ${value}`);
  }
  return value;
}

function boundsOf(values: Cells): Chunk["bounds"] {
  if (values.length === 0) {
    return null;
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, Number(value));
    most = Math.max(most, Number(value));
  }
  return { least, most };
}

function isWorthCompressing({ bytes, length }: ByteSink): boolean {
  const sample = bytes.subarray(0, Math.min(length, SAMPLE_BYTES));
  packed.clear();
  compress(sample, packed);
  return packed.length <= (1 - LEAST_SAVING) * sample.length;
}

interface PageSizes {
  readonly 2: number;
  readonly 3: number;
}

/** Says how long it is with its header, uncompressed. */
function writePage(
  content: ByteSink,
  codec: number,
  out: ByteSink,
  headerOf: (sizes: PageSizes) => Parameters<typeof writeFields>[0],
): number {
  packed.clear();
  if (codec === CODEC.snappy) {
    compress(content.written(), packed);
  }
  const stored = codec === CODEC.snappy ? packed : content;
  const before = out.length;
  writeFields(headerOf({ 2: content.length, 3: stored.length }), out);
  const headerBytes = out.length - before;
  out.append(stored.written());
  return headerBytes + content.length;
}

import { isAscii } from "node:buffer";
import { bytesToUnits } from "../../core/decimal.ts";
import { ByteSource } from "./byte-source.ts";
import { readDeltas } from "./delta.ts";
import type { StoredChunk } from "./footer.ts";
import { readHybrid } from "./hybrid.ts";
import { uncompress } from "./snappy.ts";
import {
  BYTES_PER_DECIMAL,
  CODEC,
  type ColumnValue,
  type ColumnValues,
  ENCODING,
  PAGE,
  type ParquetColumn,
} from "./table.ts";
import { readStruct, type Struct } from "./thrift.ts";

/**
 * The cells of a chunk of `rows` rows: an optional dictionary page, then one data page with all rows. Throws
 * on damaged data. Its work is bounded by the rows and the bytes.
 */
export function readChunk(column: ParquetColumn, chunk: StoredChunk, rows: number, file: Buffer): ColumnValues {
  const source = new ByteSource(file.subarray(chunk.at, chunk.at + chunk.bytes));
  source.check(source.bytes.length === chunk.bytes, "the data ends too early");
  source.check(chunk.codec === CODEC.snappy || chunk.codec === CODEC.uncompressed, "an unknown codec");
  let page = readPage(source, chunk);
  let dictionary: ColumnValues | null = null;
  if (page.header.count(1) === PAGE.dictionary) {
    dictionary = readPlain(column, page.content, page.header.struct(7).count(1));
    page = readPage(source, chunk);
  }
  const { header, content } = page;
  source.check(header.count(1) === PAGE.data, "an unknown kind of page");
  source.check(source.left === 0, "more than one data page");
  const about = header.struct(5);
  source.check(about.count(1) === rows, "the number of cells differs from the number of rows");
  const levels = readLevels(column, content, rows);
  const values = levels === null ? rows : levels.reduce((sum, level) => sum + level, 0);
  const present = readValues(column, content, about.count(2), values, dictionary);
  return levels === null ? present : withNulls(present, levels);
}

/** Most files have one group, whose cells are returned without a copy. */
export function joined(pieces: readonly ColumnValues[]): ColumnValues {
  return pieces.length === 1 ? (pieces[0] ?? []) : pieces.flat();
}

interface Page {
  readonly header: Struct;
  readonly content: ByteSource;
}

function readPage(source: ByteSource, { codec }: StoredChunk): Page {
  const header = readStruct(source);
  const stored = source.take(header.count(3));
  const content = new ByteSource(codec === CODEC.snappy ? uncompress(stored) : stored);
  content.check(content.left === header.count(2), "a page whose length differs from its header");
  return { header, content };
}

/** 1 for a cell, 0 for a null. Null: no cell is null. */
function readLevels({ required }: ParquetColumn, source: ByteSource, count: number): Uint32Array | null {
  if (required === true) {
    return null;
  }
  const levels = readHybrid(new ByteSource(source.take(source.uint(4))), count, 1);
  return levels.includes(0) ? levels : null;
}

function readValues(
  column: ParquetColumn,
  source: ByteSource,
  encoding: number,
  count: number,
  dictionary: ColumnValues | null,
): ColumnValues {
  switch (encoding) {
    case ENCODING.plain:
      return readPlain(column, source, count);
    case ENCODING.deltaBinaryPacked:
      source.check(column.kind === "time", "a time encoding in another column");
      return Array.from(readDeltas(source, count));
    default: {
      source.check(encoding === ENCODING.dictionary && dictionary !== null, "an unknown encoding");
      return fromDictionary(source, count, dictionary ?? []);
    }
  }
}

function fromDictionary(source: ByteSource, count: number, dictionary: ColumnValues): ColumnValue[] {
  const values: ColumnValue[] = [];
  if (count > 0) {
    const width = source.byte();
    source.check(width <= 32, "dictionary indices with too many bits");
    for (const place of readHybrid(source, count, width)) {
      const value = dictionary[place];
      source.check(value !== undefined, "an index outside the dictionary");
      values.push(value ?? null);
    }
  }
  return values;
}

function readPlain({ kind }: ParquetColumn, source: ByteSource, count: number): ColumnValue[] {
  switch (kind) {
    case "text":
      return readTexts(source, count);
    case "decimal":
      return readDecimals(source, count);
    case "time":
      return times(count, () => Number(source.take(8).readBigInt64LE()));
    case "integer":
      return times(count, () => source.uint(4) | 0);
  }
}

function readDecimals(source: ByteSource, count: number): bigint[] {
  source.check(count * BYTES_PER_DECIMAL <= source.left, "the data ends too early");
  const values: bigint[] = [];
  for (let place = 0; place < count; place += 1) {
    values.push(bytesToUnits(source.view, source.at));
    source.at += BYTES_PER_DECIMAL;
  }
  return values;
}

function times(count: number, read: () => ColumnValue): ColumnValue[] {
  const values: ColumnValue[] = [];
  for (let place = 0; place < count; place += 1) {
    values.push(read());
  }
  return values;
}

// `ignoreBOM` keeps a byte order mark that is part of the text.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readTexts(source: ByteSource, count: number): string[] {
  const { bytes } = source;
  const isPlain = isAscii(bytes.subarray(source.at));
  const values: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const size = source.uint(4);
    source.check(size <= source.left, "the data ends too early");
    const end = source.at + size;
    values.push(isPlain ? bytes.toString("latin1", source.at, end) : utf8.decode(bytes.subarray(source.at, end)));
    source.at = end;
  }
  return values;
}

function withNulls(values: ColumnValues, levels: Uint32Array): ColumnValues {
  const cells: ColumnValue[] = [];
  let place = 0;
  for (const level of levels) {
    cells.push(level === 0 ? null : (values[place] ?? null));
    place += level;
  }
  return cells;
}

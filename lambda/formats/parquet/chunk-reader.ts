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

/** The cells of a chunk of `rows` rows. Throws on what is damaged; takes no longer than its rows and bytes need. */
export function readChunk(column: ParquetColumn, chunk: StoredChunk, rows: number, file: Buffer): ColumnValues {
  const source = new ByteSource(file.subarray(chunk.at, chunk.at + chunk.bytes));
  source.check(source.bytes.length === chunk.bytes, "cut off");
  source.check(chunk.codec === CODEC.snappy || chunk.codec === CODEC.uncompressed, "an unknown codec");
  let dictionary: ColumnValues | null = null;
  const pages: ColumnValues[] = [];
  let left = rows;
  while (source.left > 0) {
    const header = readStruct(source);
    const stored = source.take(header.count(3));
    if (header.count(1) === PAGE.dictionary) {
      const count = header.struct(7).count(1);
      dictionary = readPlain(column, new ByteSource(contentOf(stored, header, chunk)), count);
    } else {
      const cells = readData(column, header, { chunk, stored, dictionary, left });
      pages.push(cells);
      left -= cells.length;
    }
  }
  source.check(left === 0, "not as many cells as rows");
  return joined(pages);
}

/** Most chunks are a page, and most files a group: their cells are not copied. */
export function joined(pieces: readonly ColumnValues[]): ColumnValues {
  return pieces.length === 1 ? (pieces[0] ?? []) : pieces.flat();
}

interface DataPage {
  readonly chunk: StoredChunk;
  readonly stored: Buffer;
  readonly dictionary: ColumnValues | null;
  /** Rows that are still to come. */
  readonly left: number;
}

function readData(column: ParquetColumn, header: Struct, page: DataPage): ColumnValues {
  const isSecond = header.count(1) === PAGE.data2;
  const about = header.struct(isSecond ? 8 : 5);
  const count = about.count(1);
  const source = new ByteSource(isSecond ? page.stored : contentOf(page.stored, header, page.chunk));
  source.check(isSecond || header.count(1) === PAGE.data, "an unknown kind of page");
  source.check(count <= page.left, "more cells than rows");
  const levels = readLevels(column, source, count, isSecond ? about.count(5) : null);
  const values = levels === null ? count : levels.reduce((sum, level) => sum + level, 0);
  const content = isSecond && !about.isFalse(7) ? secondContent(source, header, page.chunk) : source;
  const present = readValues(column, content, about.count(isSecond ? 4 : 2), values, page.dictionary);
  return levels === null ? present : withNulls(present, levels);
}

/** 1 where there is a cell, 0 where there is none; null where there is one everywhere. */
function readLevels(
  { required }: ParquetColumn,
  source: ByteSource,
  count: number,
  bytes: number | null,
): Uint32Array | null {
  if (required === true) {
    return null;
  }
  const levels = readHybrid(new ByteSource(source.take(bytes ?? source.uint(4))), count, 1);
  return levels.includes(0) ? levels : null;
}

function contentOf(stored: Buffer, header: Struct, { codec }: StoredChunk): Buffer {
  const content = codec === CODEC.snappy ? uncompress(stored) : stored;
  if (content.length !== header.count(2)) {
    throw new TypeError("a page that is not as long as it says");
  }
  return content;
}

/** In a page of the second kind, what follows the levels is compressed by itself. */
function secondContent(source: ByteSource, header: Struct, { codec }: StoredChunk): ByteSource {
  const levelBytes = source.at;
  const rest = source.take(source.left);
  if (codec !== CODEC.snappy) {
    return new ByteSource(rest);
  }
  const content = new ByteSource(uncompress(rest));
  content.check(content.left === header.count(2) - levelBytes, "a page that is not as long as it says");
  return content;
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
      source.check(column.kind === "time", "an encoding of times");
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
    source.check(width <= 32, "places of too many bits");
    for (const place of readHybrid(source, count, width)) {
      const value = dictionary[place];
      source.check(value !== undefined, "a place outside of the dictionary");
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
  source.check(count * BYTES_PER_DECIMAL <= source.left, "cut off");
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
    source.check(size <= source.left, "cut off");
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

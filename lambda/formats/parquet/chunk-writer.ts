import { ByteSink } from "./byte-sink.ts";
import { BytesColumn, type ColumnBuffer, TimesColumn } from "./column-buffers.ts";
import { hasSmallDeltas, writeDeltas } from "./delta.ts";
import { writeHybrid, writeRun } from "./hybrid.ts";
import { compress } from "./snappy.ts";
import { bitsFor, CODEC, ENCODING, PAGE, type ParquetColumn } from "./table.ts";
import { writeFields } from "./thrift.ts";

/** What the footer says of one column in one group of rows. */
export interface Chunk {
  /** The file offset of the first page. */
  readonly at: number;
  /** The file offset of the data page, which follows the dictionary if there is one. */
  readonly dataAt: number;
  readonly hasDictionary: boolean;
  readonly encoding: number;
  readonly codec: number;
  readonly bytes: number;
  readonly uncompressedBytes: number;
  readonly nulls: number;
  /**
   * Only for times. Readers compare text by different rules, and a wrong bound would hide rows from a query.
   */
  readonly bounds: { readonly least: number; readonly most: number } | null;
}

/**
 * A page is compressed if its first SAMPLE_BYTES shrink by a quarter. Random ids and hashes in hexadecimal
 * shrink by a tenth, and compressing them would cost as much as everything else.
 */
const SAMPLE_BYTES = 4096;
const LEAST_SAVING = 0.25;

/** Reused for every chunk. */
const page = new ByteSink();
const packed = new ByteSink();

/**
 * Writes the cells of a group as a chunk: a dictionary page, if the buffer has a dictionary, then a data
 * page. `fileAt`: the file offset at which `out` begins.
 */
export function writeChunk(column: ParquetColumn, buffer: ColumnBuffer, out: ByteSink, fileAt: number): Chunk {
  const { rows, nulls } = buffer.cells;
  page.clear();
  writeLevels(column, buffer.cells);
  const at = fileAt + out.length;
  const distinct = buffer instanceof BytesColumn ? buffer.distinct : null;
  const dictionary = distinct !== null && buffer instanceof BytesColumn ? buffer.values : null;
  const encoding = writeValues(buffer, distinct);
  const largest = dictionary !== null && dictionary.length > page.length ? dictionary : page;
  const codec = isWorthCompressing(largest) ? CODEC.snappy : CODEC.uncompressed;
  let uncompressedBytes = 0;
  if (dictionary !== null) {
    uncompressedBytes += writePage(dictionary, codec, out, (sizes) => ({
      1: PAGE.dictionary,
      ...sizes,
      7: { 1: distinct ?? 0, 2: ENCODING.plain },
    }));
  }
  const dataAt = fileAt + out.length;
  uncompressedBytes += writePage(page, codec, out, (sizes) => ({
    1: PAGE.data,
    ...sizes,
    5: { 1: rows, 2: encoding, 3: ENCODING.rle, 4: ENCODING.rle },
  }));
  return {
    at,
    dataAt,
    hasDictionary: dictionary !== null,
    encoding,
    codec,
    bytes: fileAt + out.length - at,
    uncompressedBytes,
    nulls,
    bounds: buffer instanceof TimesColumn ? boundsOf(buffer.times) : null,
  };
}

/** Writes the length of the definition levels in four bytes, then the levels. */
function writeLevels({ required }: ParquetColumn, { rows, nulls, levels }: ColumnBuffer["cells"]): void {
  if (required === true) {
    return;
  }
  const at = page.room(4);
  page.length += 4;
  if (nulls === 0) {
    writeRun(1, rows, 1, page);
  } else {
    writeHybrid(levels, 1, page);
  }
  page.view.setUint32(at, page.length - at - 4, true);
}

/** Returns the encoding. */
function writeValues(buffer: ColumnBuffer, distinct: number | null): number {
  if (buffer instanceof TimesColumn) {
    return writeTimes(buffer.times);
  }
  if (distinct === null) {
    page.append(buffer.values.written());
    return ENCODING.plain;
  }
  const width = bitsFor(Math.max(0, distinct - 1));
  page.byte(width);
  writeHybrid(buffer.indices, width, page);
  return ENCODING.dictionary;
}

function writeTimes(times: Float64Array): number {
  if (hasSmallDeltas(times)) {
    writeDeltas(times, page);
    return ENCODING.deltaBinaryPacked;
  }
  for (const time of times) {
    page.int64(time);
  }
  return ENCODING.plain;
}

function boundsOf(times: Float64Array): Chunk["bounds"] {
  if (times.length === 0) {
    return null;
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    least = Math.min(least, time);
    most = Math.max(most, time);
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

/** Returns the length of header and content, uncompressed. */
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

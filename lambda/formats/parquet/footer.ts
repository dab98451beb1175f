import { SCALE } from "../../core/decimal.ts";
import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";
import type { Chunk } from "./chunk-writer.ts";
import { BYTES_PER_DECIMAL, ENCODING, MAGIC, type ParquetColumn, PRECISION, REPETITION, STORED_AS } from "./table.ts";
import { type Fields, Int64, readStruct, type Struct, writeFields } from "./thrift.ts";

const CREATED_BY = "fillbook";
const VERSION = 2;

/** ConvertedType, which came before logical types. Some readers still use it. */
const CONVERTED = { utf8: 0, decimal: 5, timestampMillis: 9 } as const;

export interface WrittenGroup {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

export function writeFooter(columns: readonly ParquetColumn[], groups: readonly WrittenGroup[], out: ByteSink): void {
  const before = out.length;
  writeFields(
    {
      1: VERSION,
      2: [{ 4: "root", 5: columns.length }, ...columns.map(elementOf)],
      3: new Int64(groups.reduce((sum, { rows }) => sum + rows, 0)),
      4: groups.map((group) => groupFields(columns, group)),
      6: CREATED_BY,
      // ColumnOrder, one per column: bounds follow the order of the type.
      7: columns.map(() => ({ 1: {} })),
    },
    out,
  );
  out.uint32(out.length - before);
  out.append(Buffer.from(MAGIC));
}

function elementOf({ name, kind, required }: ParquetColumn): Fields {
  const field = { 1: STORED_AS[kind], 3: required === true ? REPETITION.required : REPETITION.optional, 4: name };
  switch (kind) {
    case "text":
      return { ...field, 6: CONVERTED.utf8, 10: { 1: {} } };
    case "time":
      // TIMESTAMP(isAdjustedToUTC, MILLIS)
      return { ...field, 6: CONVERTED.timestampMillis, 10: { 8: { 1: true, 2: { 1: {} } } } };
    case "decimal":
      return {
        ...field,
        2: BYTES_PER_DECIMAL,
        6: CONVERTED.decimal,
        7: SCALE,
        8: PRECISION,
        10: { 5: { 1: SCALE, 2: PRECISION } },
      };
    case "integer":
      return field;
  }
}

function groupFields(columns: readonly ParquetColumn[], { rows, chunks }: WrittenGroup): Fields {
  const total = (sizeOf: (chunk: Chunk) => number) => new Int64(chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0));
  return {
    1: chunks.map((chunk, place) => ({
      2: new Int64(chunk.at),
      3: chunkFields(columns[place], chunk, rows),
    })),
    2: total(({ uncompressedBytes }) => uncompressedBytes),
    3: new Int64(rows),
    5: new Int64(chunks[0]?.at ?? 0),
    6: total(({ bytes }) => bytes),
  };
}

function chunkFields(column: ParquetColumn | undefined, chunk: Chunk, rows: number): Fields {
  const { encoding, hasDictionary, bounds } = chunk;
  const encodings = [encoding, ENCODING.rle, ...(hasDictionary ? [ENCODING.plain] : [])];
  return {
    1: column === undefined ? undefined : STORED_AS[column.kind],
    2: encodings,
    3: [column?.name ?? ""],
    4: chunk.codec,
    5: new Int64(rows),
    6: new Int64(chunk.uncompressedBytes),
    7: new Int64(chunk.bytes),
    9: new Int64(chunk.dataAt),
    11: hasDictionary ? new Int64(chunk.at) : undefined,
    12:
      column?.kind === "time"
        ? {
            3: new Int64(chunk.nulls),
            5: bounds === null ? undefined : int64Bytes(bounds.most),
            6: bounds === null ? undefined : int64Bytes(bounds.least),
          }
        : undefined,
  };
}

function int64Bytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

/** Where the pages of one column in one group of rows are. */
export interface StoredChunk {
  readonly at: number;
  readonly bytes: number;
  readonly codec: number;
}

export interface StoredGroup {
  readonly rows: number;
  readonly chunks: readonly StoredChunk[];
}

/** Throws if the footer is damaged, has other columns, or has more than `maxRows` rows. */
export function readFooter(columns: readonly ParquetColumn[], file: ByteSource, maxRows: number): StoredGroup[] {
  const size = file.bytes.length;
  file.check(size >= 12 && file.bytes.toString("latin1", size - 4) === MAGIC, "no Parquet magic at the end");
  const length = file.bytes.readUInt32LE(size - 8);
  file.check(length <= size - 12, "the data ends too early");
  file.at = size - 8 - length;
  const dataEnd = file.at;
  const footer = readStruct(file);
  checkSchema(columns, footer.structs(2), file);
  const groups = footer.structs(4).map((group) => readGroup(columns, group, file));
  checkPlaces(groups, dataEnd, file);
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  file.check(rows === footer.count(3), "the number of rows differs from the footer");
  file.check(rows <= maxRows, `more than ${maxRows} rows`);
  return groups;
}

function checkSchema(columns: readonly ParquetColumn[], [, ...elements]: readonly Struct[], file: ByteSource): void {
  const names = elements.map((element) => element.text(4));
  if (names.join("\n") !== columns.map(({ name }) => name).join("\n")) {
    throw new TypeError(`unexpected columns: ${names.join(", ")}`);
  }
  for (const [place, { name, kind, required }] of columns.entries()) {
    const element = elements[place];
    const isStored =
      element?.count(1) === STORED_AS[kind] &&
      element.count(3) === (required === true ? REPETITION.required : REPETITION.optional);
    const isDecimal = element?.count(2, 0) === BYTES_PER_DECIMAL && element.count(7, 0) === SCALE;
    file.check(isStored && (kind !== "decimal" || isDecimal), `${name} has an unexpected type`);
  }
}

function readGroup(columns: readonly ParquetColumn[], group: Struct, file: ByteSource): StoredGroup {
  const chunks = group.structs(1).map((stored) => {
    const chunk = stored.struct(3);
    const at = Math.min(chunk.count(9), chunk.count(11, Number.POSITIVE_INFINITY));
    return { at, bytes: chunk.count(7), codec: chunk.count(4) };
  });
  file.check(chunks.length === columns.length, "an unexpected number of columns");
  return { rows: group.count(3), chunks };
}

/** Checks that the chunks follow each other, so that no byte belongs to two columns. */
function checkPlaces(groups: readonly StoredGroup[], dataEnd: number, file: ByteSource): void {
  let end = MAGIC.length;
  for (const { at, bytes } of groups.flatMap(({ chunks }) => chunks)) {
    file.check(at >= end && at + bytes <= dataEnd, "a column chunk at an impossible position");
    end = at + bytes;
  }
}

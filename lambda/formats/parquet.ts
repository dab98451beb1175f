import { parquetMetadata, parquetSchema, type SchemaElement } from "hyparquet";
import { readColumn } from "hyparquet/src/column.js";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { bytesToUnits, fits, SCALE, unitsToBytes } from "../model/decimal.ts";

/**
 * Flat tables as Parquet. Cells are text, times in ms UTC, decimals as integers scaled by 10^18, small integers; null where the column is
 * not required. Equal cells give equal bytes on every machine: the codec is SNAPPY because hyparquet-writer's is plain JavaScript, while
 * node:zlib's zstd and gzip are native and may compress otherwise in another version of Node.
 */
export interface ParquetColumn {
  readonly name: string;
  readonly kind: "text" | "time" | "decimal" | "integer";
  readonly required?: boolean;
  /** Values repeat within a group of rows: the writer's sampling misses that for order ids and hashes. */
  readonly repeats?: boolean;
}

export type Cell = string | number | bigint | null;

/** A column's cells, one a row. */
export type Cells = readonly Cell[];

/** Rows held in memory at once by a writer or a reader of the file. */
export const GROUP_ROWS = 25_000;

const CREATED_BY = "fillbook";
const BYTES_PER_DECIMAL = 16;
const PRECISION = 38;

/** The whole file. */
export function encodeParquet(columns: readonly ParquetColumn[], table: readonly Cells[]): Uint8Array {
  const bytes = new ByteWriter();
  const file = openFile(columns, bytes);
  // Done on return: only a writer that flushes makes promises of these.
  void file.write(table);
  void file.finish();
  return bytes.getBytes();
}

export interface ParquetStream {
  /** Appends rows, given by columns. Resolves when the sink has taken their bytes. */
  write(table: readonly Cells[]): Promise<void>;
  finish(): Promise<void>;
}

/** Writes group by group: what one call of `write` is given is all that is in memory. */
export function streamParquet(
  columns: readonly ParquetColumn[],
  sink: (chunk: Uint8Array) => Promise<void>,
): ParquetStream {
  const bytes = new FlushingWriter(sink);
  const file = openFile(columns, bytes);
  return {
    write: async (table) => file.write(table),
    finish: async () => file.finish(),
  };
}

class FlushingWriter extends ByteWriter {
  readonly #sink: (chunk: Uint8Array) => Promise<void>;

  constructor(sink: (chunk: Uint8Array) => Promise<void>) {
    super();
    this.#sink = sink;
  }

  async flush(): Promise<void> {
    const chunk = this.getBytes().slice();
    this.index = 0;
    await this.#sink(chunk);
  }

  override finish(): Promise<void> {
    return this.flush();
  }
}

function openFile(columns: readonly ParquetColumn[], bytes: ByteWriter) {
  const schema = (as: "stored" | "declared") => [
    { name: "root", num_children: columns.length },
    ...columns.map((column) => elementOf(column, as)),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema: schema("stored"), codec: "SNAPPY", createdBy: CREATED_BY });
  return {
    write: (table: readonly Cells[]) =>
      writer.write({
        columnData: columns.map((column, at) => sourceOf(column, table[at] ?? [])),
        rowGroupSize: GROUP_ROWS,
      }),
    finish: () => {
      writer.schema = schema("declared");
      return writer.finish();
    },
  };
}

/** A decimal is declared as one in the footer, but handed to the writer and taken from the reader as its 16 bytes: the reader would make a float of it. */
function elementOf({ name, kind, required }: ParquetColumn, as: "stored" | "declared"): SchemaElement {
  const field = { name, repetition_type: required === true ? ("REQUIRED" as const) : ("OPTIONAL" as const) };
  switch (kind) {
    case "text":
      return { ...field, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "time":
      return {
        ...field,
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "decimal": {
      const stored = { ...field, type: "FIXED_LEN_BYTE_ARRAY" as const, type_length: BYTES_PER_DECIMAL };
      const type = { type: "DECIMAL" as const, precision: PRECISION, scale: SCALE };
      return as === "stored"
        ? stored
        : { ...stored, converted_type: "DECIMAL", precision: PRECISION, scale: SCALE, logical_type: type };
    }
    case "integer":
      return { ...field, type: "INT32" };
  }
}

function sourceOf({ name, kind, repeats }: ParquetColumn, cells: Cells): ColumnSource {
  return {
    name,
    data: kind === "decimal" ? decimalBytes(name, cells) : [...cells],
    // The writer compares text by UTF-16 unit where readers compare bytes: wrong bounds would hide rows from a query.
    statistics: kind === "time",
    encoding: encodingOf(kind, repeats === true),
  };
}

/** Named, so that the writer does not find out by trying each column. */
function encodingOf(kind: ParquetColumn["kind"], repeats: boolean) {
  if (repeats) {
    return "RLE_DICTIONARY";
  }
  return kind === "time" ? "DELTA_BINARY_PACKED" : "PLAIN";
}

function decimalBytes(name: string, cells: Cells): (Uint8Array | null)[] {
  const bytes = new Uint8Array(cells.length * BYTES_PER_DECIMAL);
  const view = new DataView(bytes.buffer);
  return cells.map((cell, row) => {
    if (cell === null) {
      return null;
    }
    if (typeof cell !== "bigint" || !fits(cell)) {
      throw new RangeError(`${name}: not a DECIMAL(38,18): ${cell}`);
    }
    const at = row * BYTES_PER_DECIMAL;
    unitsToBytes(cell, view, at);
    return bytes.subarray(at, at + BYTES_PER_DECIMAL);
  });
}

/** The cells by column. Throws on bytes that are cut off or not a file of these columns; damaged ones must be refused by their hash before. */
export function decodeParquet(columns: readonly ParquetColumn[], bytes: Uint8Array): Cells[] {
  const buffer = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(buffer);
  const names = metadata.schema.slice(1).map(({ name }) => name);
  if (names.join() !== columns.map(({ name }) => name).join()) {
    throw new TypeError(`other columns than expected: ${names.join(", ")}`);
  }
  const tree = parquetSchema(metadata);
  const table = columns.map((): Cell[] => []);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    for (const [at, column] of columns.entries()) {
      const chunk = group.columns[at]?.meta_data;
      const child = tree.children[at];
      const cells = table[at];
      if (chunk === undefined || child === undefined || cells === undefined) {
        throw new TypeError(`${column.name}: no data`);
      }
      const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      const element = elementOf(column, "stored");
      const { data } = readColumn(
        { view: new DataView(buffer, start, Number(chunk.total_compressed_size)), offset: 0 },
        { groupStart, selectStart: 0, selectEnd: rows, groupRows: rows },
        {
          pathInSchema: chunk.path_in_schema,
          type: chunk.type,
          codec: chunk.codec,
          element,
          schemaPath: [tree, { ...child, element }],
          utf8: false,
          parsers: PARSERS,
        },
      );
      for (const page of data) {
        appendCells(column, page, cells);
      }
    }
    groupStart += rows;
  }
  for (const [at, column] of columns.entries()) {
    checkColumn(column, table[at] ?? [], Number(metadata.num_rows));
  }
  return table;
}

// `ignoreBOM` keeps a byte order mark that is part of the text.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const PARSERS = {
  ...DEFAULT_PARSERS,
  stringFromBytes: (bytes: Uint8Array) => utf8.decode(bytes),
  timestampFromMilliseconds: (ms: bigint) => Number(ms),
};

function appendCells({ kind }: ParquetColumn, page: Iterable<unknown>, cells: Cell[]): void {
  for (const value of page) {
    if (value instanceof Uint8Array) {
      cells.push(kind === "decimal" ? bytesToUnits(value) : null);
    } else {
      cells.push((value as Cell | undefined) ?? null);
    }
  }
}

function checkColumn({ name, required }: ParquetColumn, cells: Cells, rows: number): void {
  if (cells.length !== rows) {
    throw new TypeError(`${name}: ${cells.length} cells instead of ${rows}`);
  }
  if (required === true && cells.includes(null)) {
    throw new TypeError(`${name}: a cell is missing`);
  }
}

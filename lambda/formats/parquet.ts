import { ByteSink } from "./parquet/byte-sink.ts";
import { ByteSource } from "./parquet/byte-source.ts";
import { joined, readChunk } from "./parquet/chunk-reader.ts";
import { writeChunk } from "./parquet/chunk-writer.ts";
import { bufferFor, type ColumnBuffer } from "./parquet/column-buffers.ts";
import { readFooter, type WrittenGroup, writeFooter } from "./parquet/footer.ts";
import { type ColumnValues, MAGIC, type ParquetColumn } from "./parquet/table.ts";

/**
 * Flat tables as Parquet (apache/parquet-format), by a writer and a reader of our own for what we need of it:
 * four kinds of cells, one page for a column of a group of rows, dictionaries where values repeat. Equal
 * cells give equal bytes on every machine: the codec is Snappy in plain JavaScript, while node:zlib's zstd
 * and gzip are native and may compress otherwise in another version of Node.
 */

/** Memory in which a file is made, and which the next one can use again. */
export interface Workspace {
  /** One for each column: a group of at most GROUP_ROWS rows. */
  readonly buffers: readonly ColumnBuffer[];
  readonly out: ByteSink;
}

export function workspaceFor(columns: readonly ParquetColumn[]): Workspace {
  return { buffers: columns.map(bufferFor), out: new ByteSink() };
}

/** A file as it is written, group by group of what is in its buffers. */
export class ParquetFile {
  readonly buffers: readonly ColumnBuffer[];
  readonly #columns: readonly ParquetColumn[];
  readonly #groups: WrittenGroup[] = [];
  readonly #out: ByteSink;
  /** Bytes of the file that are taken already. */
  #taken = 0;

  constructor(columns: readonly ParquetColumn[], { buffers, out }: Workspace = workspaceFor(columns)) {
    this.#columns = columns;
    this.buffers = buffers;
    this.#out = out;
    this.#clear();
    out.clear();
    out.append(Buffer.from(MAGIC));
  }

  /** Writes what the buffers hold, if anything, and clears them. */
  endGroup(): void {
    const rows = this.buffers[0]?.cells.rows ?? 0;
    if (rows > 0) {
      const chunks = this.#columns.map((column, place) =>
        writeChunk(column, this.buffers[place] as ColumnBuffer, this.#out, this.#taken),
      );
      this.#groups.push({ rows, chunks });
      this.#clear();
    }
  }

  #clear(): void {
    for (const buffer of this.buffers) {
      buffer.clear();
    }
  }

  end(): void {
    this.endGroup();
    writeFooter(this.#columns, this.#groups, this.#out);
  }

  /** What was written since the last call. */
  take(): Uint8Array {
    const bytes = Uint8Array.from(this.#out.written());
    this.#taken += bytes.length;
    this.#out.clear();
    return bytes;
  }
}

/** What a damaged footer can make a reader ask for: as much as this many rows. */
const MAX_ROWS = 10_000_000;

/**
 * The cells by column of what `ParquetFile` wrote. Throws on bytes that are cut off or not a file of these
 * columns. Damaged ones may read as other cells, so their hash must be checked; they cannot take more time or
 * memory than their length and `maxRows` allow.
 */
export function decodeParquet(
  columns: readonly ParquetColumn[],
  bytes: Uint8Array,
  maxRows: number = MAX_ROWS,
): ColumnValues[] {
  return decodeParquetColumns(
    columns,
    columns.map(({ name }) => name),
    bytes,
    maxRows,
  );
}

/** The same for some of its columns, in the order of their names. */
export function decodeParquetColumns(
  columns: readonly ParquetColumn[],
  names: readonly string[],
  bytes: Uint8Array,
  maxRows: number = MAX_ROWS,
): ColumnValues[] {
  const file = new ByteSource(bytes);
  const groups = readFooter(columns, file, maxRows);
  return names.map((name) => {
    const place = columns.findIndex((one) => one.name === name);
    const column = columns[place];
    return joined(
      groups.map(({ rows, chunks }) => {
        const chunk = chunks[place];
        return column === undefined || chunk === undefined ? [] : readChunk(column, chunk, rows, file.bytes);
      }),
    );
  });
}

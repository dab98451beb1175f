import { ByteSink } from "./parquet/byte-sink.ts";
import { ByteSource } from "./parquet/byte-source.ts";
import { joined, readChunk } from "./parquet/chunk-reader.ts";
import { writeChunk } from "./parquet/chunk-writer.ts";
import { readFooter, type WrittenGroup, writeFooter } from "./parquet/footer.ts";
import { type Cells, MAGIC, type ParquetColumn } from "./parquet/table.ts";

/**
 * Flat tables as Parquet (apache/parquet-format), by a writer and a reader of our own for what we need of it: four kinds of cells, one page for a
 * column of a group of rows, dictionaries where values repeat. Equal cells give equal bytes on every machine: the codec is Snappy in plain
 * JavaScript, while node:zlib's zstd and gzip are native and may compress otherwise in another version of Node.
 */

/** Rows held in memory at once by a writer or a reader of the file, and as many as a part has: with 25,000 a pack's tables took 70 MB more, and no less time. */
export const GROUP_ROWS = 10_000;

/** The whole file. */
export function encodeParquet(columns: readonly ParquetColumn[], table: readonly Cells[]): Uint8Array {
  const file = new FileWriter(columns);
  for (const group of groupsOf(columns, table)) {
    file.add(group);
  }
  file.end();
  return file.take();
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
  const file = new FileWriter(columns);
  return {
    write: async (table) => {
      for (const group of groupsOf(columns, table)) {
        file.add(group);
        await sink(file.take());
      }
    },
    finish: async () => {
      file.end();
      await sink(file.take());
    },
  };
}

function* groupsOf(columns: readonly ParquetColumn[], table: readonly Cells[]): Generator<readonly Cells[]> {
  const rows = table[0]?.length ?? 0;
  for (const [place, { name }] of columns.entries()) {
    const cells = table[place]?.length ?? 0;
    if (cells !== rows) {
      throw new RangeError(`${name}: ${cells} cells instead of ${rows}`);
    }
  }
  if (rows <= GROUP_ROWS) {
    if (rows > 0) {
      yield table;
    }
    return;
  }
  for (let from = 0; from < rows; from += GROUP_ROWS) {
    yield table.map((cells) => cells.slice(from, from + GROUP_ROWS));
  }
}

class FileWriter {
  readonly #columns: readonly ParquetColumn[];
  readonly #groups: WrittenGroup[] = [];
  readonly #out = new ByteSink();
  /** Bytes of the file that are taken already. */
  #taken = 0;

  constructor(columns: readonly ParquetColumn[]) {
    this.#columns = columns;
    this.#out.append(Buffer.from(MAGIC));
  }

  add(group: readonly Cells[]): void {
    const chunks = this.#columns.map((column, place) => writeChunk(column, group[place] ?? [], this.#out, this.#taken));
    this.#groups.push({ rows: group[0]?.length ?? 0, chunks });
  }

  end(): void {
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
 * The cells by column, also of files that hyparquet-writer made of the same columns for an earlier fillbook. Throws on bytes that are cut off or
 * not a file of these columns. Damaged ones may read as other cells, so their hash must be checked; they cannot take more time or memory than
 * their length and `maxRows` allow.
 */
export function decodeParquet(
  columns: readonly ParquetColumn[],
  bytes: Uint8Array,
  maxRows: number = MAX_ROWS,
): Cells[] {
  const file = new ByteSource(bytes);
  const groups = readFooter(columns, file, maxRows);
  return columns.map((column, place) =>
    joined(
      groups.map(({ rows, chunks }) => {
        const chunk = chunks[place];
        return chunk === undefined ? [] : readChunk(column, chunk, rows, file.bytes);
      }),
    ),
  );
}

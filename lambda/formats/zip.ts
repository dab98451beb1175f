import { crc32 } from "node:zlib";
import { Deflate, Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from "fflate";

/**
 * ZIP archives by fflate, which has no ZIP64: see MOST_BYTES. Every entry has the format's first day as its
 * date, and deflate is plain JavaScript, because the output of node:zlib depends on the processor and on Node.
 * So equal files give equal bytes on every machine.
 */

/** A file of an archive in memory: see `zipOf`. */
export interface ZipEntry extends Deflated {
  readonly path: string;
}

export interface Deflated {
  readonly checksum: number;
  /** Before deflate. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** A file of an archive that is streamed: see `zipStream`. */
export interface ZipSource {
  readonly path: string;
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** The most bytes of all files of an archive: below 4 GiB by more than deflate and headers can add. */
export const MOST_BYTES = 4_000_000_000;
/** By the local clock, which fflate writes. */
const DATE = new Date(1980, 0, 1);
/** The number of deflate in the format. */
const DEFLATED = 8;
/** The fastest. Level 6 takes a third more time and makes a pack's archive 2 % smaller. */
const LEVEL = 1;
/** Files that are deflated already. They are stored as they are. Much of a Parquet file is ids that Snappy leaves. */
const COMPRESSED = /\.xlsx$/;
/** Text is encoded once this much has come together, because rows are short. */
const TEXT_CHARACTERS = 65_536;
const BLOCK_BYTES = 65_536;

export function zipEntry(path: string, text: string): ZipEntry {
  const deflater = new TextDeflater();
  deflater.write(text);
  return { path, ...deflater.finish() };
}

export function zipOf(files: readonly ZipEntry[]): Uint8Array {
  const output = new Pieces();
  for (const { path, checksum, size, bytes } of files) {
    const file: ZipInputFile = { filename: path, compression: DEFLATED, mtime: DATE, crc: checksum, size };
    output.zip.add(file);
    file.ondata?.(null, new Uint8Array(bytes), true);
  }
  output.zip.end();
  return Buffer.concat(output.taken());
}

/** Yields the archive piece by piece. It holds one block, and some hundred bytes for each file. */
export async function* zipStream(sources: Iterable<ZipSource>): AsyncGenerator<Uint8Array> {
  const output = new Pieces();
  for (const { path, open } of sources) {
    const file = COMPRESSED.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: LEVEL });
    file.mtime = DATE;
    output.zip.add(file);
    for await (const block of blocksOf(await open())) {
      file.push(block);
      yield* output.taken();
    }
    file.push(new Uint8Array(), true);
  }
  output.zip.end();
  yield* output.taken();
}

/** What fflate gives. */
class Pieces {
  #pieces: Uint8Array[] = [];
  readonly zip = new Zip((error, piece) => {
    if (error !== null) {
      throw error;
    }
    this.#pieces.push(piece);
  });

  /** Those so far. */
  taken(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/** The output of deflate depends on how its input is cut, and stores cut as they like. */
async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + BLOCK_BYTES - filled);
      block.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === BLOCK_BYTES) {
        yield block;
        block = new Uint8Array(BLOCK_BYTES);
        filled = 0;
      }
    }
  }
  yield block.subarray(0, filled);
}

/** Text that grows. It is kept in memory deflated. */
export class TextDeflater {
  readonly #pieces: Uint8Array[] = [];
  readonly #deflate = new Deflate({ level: LEVEL }, (piece) => this.#pieces.push(piece));
  #checksum = 0;
  #size = 0;
  #text = "";

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_CHARACTERS) {
      this.#encode(false);
    }
  }

  finish(): Deflated {
    this.#encode(true);
    return { checksum: this.#checksum, size: this.#size, bytes: Buffer.concat(this.#pieces) };
  }

  #encode(isLast: boolean): void {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    this.#checksum = crc32(bytes, this.#checksum);
    this.#size += bytes.length;
    this.#deflate.push(bytes, isLast);
  }
}

import { crc32 } from "node:zlib";
import { Deflate } from "fflate";
import { FillbookError } from "../core/errors.ts";
import { descriptorOf, directoryOf, type Entry, localHeader } from "./zip-headers.ts";

/**
 * ZIP archives (PKWARE's APPNOTE), with ZIP64 where a size or an offset needs it. Every entry has the
 * format's first day as its date. Deflate is plain JavaScript, because the output of node:zlib depends on the
 * processor and on Node. So equal files give equal bytes on every machine. Paths have `/` and are ASCII.
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
  /** `open` must give exactly this many bytes. */
  readonly bytes: number;
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

/**
 * From this size or offset on, ZIP64 is used. It is below 4 GiB by more than deflate can add to
 * incompressible data.
 */
const ZIP64_FROM = 0xf0_00_00_00;

/** The sizes follow the data. Names are UTF-8. */
const STREAMED = 0x08_08;
/** zlib's own default. */
const LEVEL = 6;
/** Text is encoded once this much has come together, because rows are short. */
const TEXT_CHARACTERS = 65_536;
const BLOCK_BYTES = 65_536;

export function zipEntry(path: string, text: string): ZipEntry {
  const deflater = new TextDeflater();
  deflater.write(text);
  return { path, ...deflater.finish() };
}

export function zipOf(files: readonly ZipEntry[]): Uint8Array {
  const entries: Entry[] = [];
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for (const { path, checksum, size, bytes } of files) {
    const name = Buffer.from(path, "latin1");
    const isWide = size >= ZIP64_FROM;
    const entry = { name, flags: 0, isWide, offset, checksum, size, packedSize: bytes.length };
    const header = localHeader(entry);
    pieces.push(header, bytes);
    offset += header.length + bytes.length;
    entries.push(entry);
  }
  return Buffer.concat([...pieces, directoryOf(entries, offset, ZIP64_FROM)]);
}

/**
 * Yields the archive piece by piece. It holds one chunk, and some hundred bytes for each file. `zip64From` is
 * for tests. Throws `untrusted` if a file is not as long as it said. What was yielded until then is not a
 * valid archive.
 */
export async function* zipStream(
  sources: Iterable<ZipSource>,
  zip64From: number = ZIP64_FROM,
): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  for (const source of sources) {
    const name = Buffer.from(source.path, "latin1");
    const isWide = source.bytes >= zip64From;
    const unread = { name, flags: STREAMED, isWide, offset, checksum: 0, size: 0, packedSize: 0 };
    const header = localHeader(unread);
    yield header;
    const entry = { ...unread, ...(yield* deflatedPieces(source)) };
    const descriptor = descriptorOf(entry);
    yield descriptor;
    offset += header.length + entry.packedSize + descriptor.length;
    entries.push(entry);
  }
  yield directoryOf(entries, offset, zip64From);
}

async function* deflatedPieces(
  source: ZipSource,
): AsyncGenerator<Uint8Array, Pick<Entry, "checksum" | "size" | "packedSize">> {
  const deflater = new Deflater();
  let packedSize = 0;
  for await (const block of blocksOf(await source.open())) {
    for (const piece of deflater.push(block)) {
      packedSize += piece.length;
      yield piece;
    }
  }
  const { checksum, size } = deflater;
  if (size !== source.bytes) {
    throw new FillbookError("untrusted", `${source.path} has ${size} bytes, but its listed size is ${source.bytes}`);
  }
  for (const piece of deflater.end()) {
    packedSize += piece.length;
    yield piece;
  }
  return { checksum, size, packedSize };
}

/** The output of deflate depends on how its input is cut, and stores cut as they like. */
async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + BLOCK_BYTES - filled);
      block.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === BLOCK_BYTES) {
        yield block; // deflate copies what it is given
        filled = 0;
      }
    }
  }
  yield block.subarray(0, filled);
}

/** Both methods return the output so far. */
class Deflater {
  #pieces: Uint8Array[] = [];
  readonly #deflate = new Deflate({ level: LEVEL }, (piece) => {
    this.#pieces.push(piece);
  });
  checksum = 0;
  size = 0;

  push(bytes: Uint8Array): Uint8Array[] {
    this.checksum = crc32(bytes, this.checksum);
    this.size += bytes.length;
    this.#deflate.push(bytes);
    return this.#take();
  }

  end(): Uint8Array[] {
    this.#deflate.push(new Uint8Array(), true);
    return this.#take();
  }

  #take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/** Text that grows. It is kept in memory deflated. */
export class TextDeflater {
  readonly #deflater = new Deflater();
  readonly #pieces: Uint8Array[] = [];
  #text = "";

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_CHARACTERS) {
      this.#encode();
    }
  }

  finish(): Deflated {
    this.#encode();
    this.#pieces.push(...this.#deflater.end());
    const { checksum, size } = this.#deflater;
    return { checksum, size, bytes: Buffer.concat(this.#pieces) };
  }

  #encode(): void {
    this.#pieces.push(...this.#deflater.push(Buffer.from(this.#text)));
    this.#text = "";
  }
}

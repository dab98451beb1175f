import { crc32 } from "node:zlib";
import { Deflate } from "fflate";
import { FillbookError } from "../core/errors.ts";

/**
 * ZIP archives (PKWARE's APPNOTE), with ZIP64 where a size or an offset needs it. Every entry bears the format's first day, and deflate is plain JavaScript,
 * since what node:zlib gives depends on the processor and on Node: equal files give equal bytes on every machine. Paths have `/`, and are ASCII.
 */

/** A file of an archive that is held: `zipOf`. */
export interface ZipEntry extends Deflated {
  readonly path: string;
}

export interface Deflated {
  readonly checksum: number;
  /** before it was deflated */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** A file of an archive that is streamed: `zipStream`. */
export interface ZipSource {
  readonly path: string;
  /** What `open` gives must be as long. */
  readonly bytes: number;
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** From this size or offset on, ZIP64: below 4 GiB by more than what deflate can add to what it cannot shrink. */
const ZIP64_FROM = 0xf0_00_00_00;
const MOST_ENTRIES = 0xff_fe;

const VERSION = 20;
const VERSION_ZIP64 = 45;
/** The sizes follow the data; names are UTF-8. */
const STREAMED = 0x08_08;
const DEFLATED = 8;
/** 1980-01-01 */
const FIRST_DATE = 0x21;
const ELSEWHERE_16 = 0xff_ff;
const ELSEWHERE_32 = 0xff_ff_ff_ff;
/** zlib's own default. */
const LEVEL = 6;
/** Text is encoded when there is so much of it: rows are short. */
const TEXT_CHARACTERS = 65_536;
const BLOCK_BYTES = 65_536;

interface Entry {
  readonly name: Buffer;
  readonly flags: number;
  readonly isWide: boolean;
  readonly offset: number;
  readonly checksum: number;
  readonly size: number;
  readonly packedSize: number;
}

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
 * The archive piece by piece: held are one chunk and some hundred bytes for each file. `zip64From` is for tests. Throws `untrusted` when a file is not as long
 * as it was said to be, so that what came out so far cannot be taken for a whole archive.
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
    throw new FillbookError("untrusted", `${source.path} has ${size} bytes where ${source.bytes} are listed`);
  }
  for (const piece of deflater.end()) {
    packedSize += piece.length;
    yield piece;
  }
  return { checksum, size, packedSize };
}

/** What deflate gives depends on how its input is cut, and stores cut as they like. */
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

/** Both give what came out by now. */
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

/** Text that grows; what is held of it is deflated. */
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

/** Of a streamed file that was not read yet, sizes and checksum are 0. */
function localHeader(entry: Entry): Buffer {
  const wide = entry.isWide ? [entry.size, entry.packedSize] : [];
  return Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), commonHeader(entry, wide), entry.name, wideExtra(wide)]);
}

function descriptorOf({ isWide, checksum, size, packedSize }: Entry): Buffer {
  const start = Buffer.alloc(8);
  start.write("PK\x07\x08", "latin1");
  start.writeUInt32LE(checksum, 4);
  return Buffer.concat([start, isWide ? numbers64([packedSize, size]) : numbers32([packedSize, size])]);
}

function centralHeader(entry: Entry, zip64From: number): Buffer {
  const { name, isWide, offset, size, packedSize } = entry;
  const isFar = offset >= zip64From;
  const wide = [...(isWide ? [size, packedSize] : []), ...(isFar ? [offset] : [])];
  const start = Buffer.alloc(6);
  start.write("PK\x01\x02", "latin1");
  start.writeUInt16LE(versionOf(wide), 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(isFar ? ELSEWHERE_32 : offset, 10);
  return Buffer.concat([start, commonHeader(entry, wide), rest, name, wideExtra(wide)]);
}

/** What both headers of an entry have, from the version that is needed to the length of the extra field, which has the wide values. */
function commonHeader(entry: Entry, wide: readonly number[]): Buffer {
  const { name, flags, isWide, checksum, size, packedSize } = entry;
  const header = Buffer.alloc(26);
  header.writeUInt16LE(versionOf(wide), 0);
  header.writeUInt16LE(flags, 2);
  header.writeUInt16LE(DEFLATED, 4);
  header.writeUInt16LE(FIRST_DATE, 8);
  header.writeUInt32LE(checksum, 10);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : packedSize, 14);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : size, 18);
  header.writeUInt16LE(name.length, 22);
  header.writeUInt16LE(wideExtra(wide).length, 24);
  return header;
}

function versionOf(wide: readonly number[]): number {
  return wide.length === 0 ? VERSION : VERSION_ZIP64;
}

function wideExtra(values: readonly number[]): Buffer {
  if (values.length === 0) {
    return Buffer.alloc(0);
  }
  const header = Buffer.alloc(4);
  header.writeUInt16LE(1, 0);
  header.writeUInt16LE(8 * values.length, 2);
  return Buffer.concat([header, numbers64(values)]);
}

/** The central directory, which begins at `offset`, and the end of the archive. */
function directoryOf(entries: readonly Entry[], offset: number, zip64From: number): Buffer {
  const directory = Buffer.concat(entries.map((entry) => centralHeader(entry, zip64From)));
  const bytes = directory.length;
  const isWide = entries.length > MOST_ENTRIES || offset >= zip64From || bytes >= zip64From;
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(isWide ? ELSEWHERE_16 : entries.length, 8);
  end.writeUInt16LE(isWide ? ELSEWHERE_16 : entries.length, 10);
  end.writeUInt32LE(isWide ? ELSEWHERE_32 : bytes, 12);
  end.writeUInt32LE(isWide ? ELSEWHERE_32 : offset, 16);
  return Buffer.concat([directory, isWide ? wideEnd(entries.length, bytes, offset) : Buffer.alloc(0), end]);
}

/** ZIP64's own end record, and where it is. */
function wideEnd(entries: number, bytes: number, offset: number): Buffer {
  const record = Buffer.alloc(24);
  record.write("PK\x06\x06", "latin1");
  record.writeBigUInt64LE(44n, 4); // of what follows
  record.writeUInt16LE(VERSION_ZIP64, 12);
  record.writeUInt16LE(VERSION_ZIP64, 14);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, numbers64([entries, entries, bytes, offset]), locator]);
}

function numbers64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [at, value] of values.entries()) {
    bytes.writeBigUInt64LE(BigInt(value), 8 * at);
  }
  return bytes;
}

function numbers32(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) {
    bytes.writeUInt32LE(value, 4 * at);
  }
  return bytes;
}

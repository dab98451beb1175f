import { crc32 } from "node:zlib";
import { Deflate } from "fflate";
import { FillbookError } from "../errors.ts";

/** A file that goes into the archive. */
export interface ZipSource {
  /** With `/`, relative; ASCII, as the keys of a store are. */
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
const FLAGS = 0x08_08;
const DEFLATED = 8;
/** 1980-01-01, the format's first day: equal files give equal bytes. */
const FIRST_DATE = 0x21;
const ELSEWHERE_16 = 0xff_ff;
const ELSEWHERE_32 = 0xff_ff_ff_ff;
/** zlib's own default. */
const LEVEL = 6;
const BLOCK_BYTES = 65_536;

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  readonly isWide: boolean;
  readonly size: number;
  readonly packedSize: number;
  readonly checksum: number;
}

/**
 * A ZIP archive (PKWARE's APPNOTE) piece by piece, as large as it may be: held are one chunk and some hundred bytes for each file. The same files give
 * the same bytes on every machine: deflate is plain JavaScript, since what node:zlib gives depends on the processor and on Node. `zip64From` is for tests.
 * Throws `untrusted` when a file is not as long as it was said to be, so that what came out so far cannot be taken for a whole archive.
 */
export async function* zipStream(
  sources: Iterable<ZipSource>,
  zip64From: number = ZIP64_FROM,
): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const source of sources) {
    const name = Buffer.from(source.path, "latin1");
    const isWide = source.bytes >= zip64From;
    const header = localHeader(name, isWide);
    yield header;
    const { size, packedSize, checksum } = yield* deflated(source);
    const entry = { name, offset, isWide, size, packedSize, checksum };
    const descriptor = descriptorOf(entry);
    yield descriptor;
    offset += header.length + packedSize + descriptor.length;
    central.push(centralHeader(entry, zip64From));
  }
  yield* central;
  const directory = { offset, bytes: central.reduce((sum, { length }) => sum + length, 0), entries: central.length };
  yield endOf(directory, zip64From);
}

type Deflated = Pick<Entry, "size" | "packedSize" | "checksum">;

async function* deflated(source: ZipSource): AsyncGenerator<Uint8Array, Deflated> {
  let size = 0;
  let packedSize = 0;
  let checksum = 0;
  let packed: Uint8Array[] = [];
  const deflate = new Deflate({ level: LEVEL }, (chunk) => {
    packed.push(chunk);
    packedSize += chunk.length;
  });
  for await (const block of blocksOf(await source.open())) {
    size += block.length;
    checksum = crc32(block, checksum);
    deflate.push(block);
    yield* packed;
    packed = [];
  }
  if (size !== source.bytes) {
    throw new FillbookError("untrusted", `${source.path} has ${size} bytes where ${source.bytes} are listed`);
  }
  deflate.push(new Uint8Array(), true);
  yield* packed;
  return { size, packedSize, checksum };
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

function localHeader(name: Buffer, isWide: boolean): Buffer {
  const extra = isWide ? wideExtra([0, 0]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  writeCommon(header, 4, isWide);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : 0, 18);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : 0, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function descriptorOf({ isWide, checksum, size, packedSize }: Entry): Buffer {
  const start = Buffer.alloc(8);
  start.write("PK\x07\x08", "latin1");
  start.writeUInt32LE(checksum, 4);
  return Buffer.concat([start, isWide ? numbers64([packedSize, size]) : numbers32([packedSize, size])]);
}

function centralHeader(entry: Entry, zip64From: number): Buffer {
  const { name, offset, isWide, size, packedSize, checksum } = entry;
  const isFar = offset >= zip64From;
  const wide = [...(isWide ? [size, packedSize] : []), ...(isFar ? [offset] : [])];
  const extra = wide.length === 0 ? Buffer.alloc(0) : wideExtra(wide);
  const header = Buffer.alloc(46);
  header.write("PK\x01\x02", "latin1");
  header.writeUInt16LE(wide.length === 0 ? VERSION : VERSION_ZIP64, 4);
  writeCommon(header, 6, wide.length > 0);
  header.writeUInt32LE(checksum, 16);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : packedSize, 20);
  header.writeUInt32LE(isWide ? ELSEWHERE_32 : size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(isFar ? ELSEWHERE_32 : offset, 42);
  return Buffer.concat([header, name, extra]);
}

/** From the version that is needed to the date. */
function writeCommon(header: Buffer, at: number, isWide: boolean): void {
  header.writeUInt16LE(isWide ? VERSION_ZIP64 : VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(DEFLATED, at + 4);
  header.writeUInt16LE(FIRST_DATE, at + 8);
}

interface Directory {
  readonly offset: number;
  readonly bytes: number;
  readonly entries: number;
}

function endOf({ offset, bytes, entries }: Directory, zip64From: number): Buffer {
  const isWide = entries > MOST_ENTRIES || offset >= zip64From || bytes >= zip64From;
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(isWide ? ELSEWHERE_16 : entries, 8);
  end.writeUInt16LE(isWide ? ELSEWHERE_16 : entries, 10);
  end.writeUInt32LE(isWide ? ELSEWHERE_32 : bytes, 12);
  end.writeUInt32LE(isWide ? ELSEWHERE_32 : offset, 16);
  return isWide ? Buffer.concat([wideEnd({ offset, bytes, entries }), end]) : end;
}

/** ZIP64's own end record, and where it is. */
function wideEnd({ offset, bytes, entries }: Directory): Buffer {
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

function wideExtra(values: readonly number[]): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(1, 0);
  header.writeUInt16LE(8 * values.length, 2);
  return Buffer.concat([header, numbers64(values)]);
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

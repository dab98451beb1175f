/** The headers of a ZIP archive: bytes before and after each file, and the directory at the end. */

const MOST_ENTRIES = 0xff_fe;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const DEFLATED = 8;
/** 1980-01-01 */
const FIRST_DATE = 0x21;
const ELSEWHERE_16 = 0xff_ff;
const ELSEWHERE_32 = 0xff_ff_ff_ff;

/** A file as the headers describe it. `isWide`: its sizes need ZIP64. */
export interface Entry {
  readonly name: Buffer;
  readonly flags: number;
  readonly isWide: boolean;
  readonly offset: number;
  readonly checksum: number;
  readonly size: number;
  readonly packedSize: number;
}

/** The sizes and the checksum of a streamed file that was not read yet are 0. */
export function localHeader(entry: Entry): Buffer {
  const wide = entry.isWide ? [entry.size, entry.packedSize] : [];
  return Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), commonHeader(entry, wide), entry.name, wideExtra(wide)]);
}

export function descriptorOf({ isWide, checksum, size, packedSize }: Entry): Buffer {
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

/**
 * The part that both headers of an entry share: from the needed version to the length of the extra field with
 * the wide values.
 */
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
export function directoryOf(entries: readonly Entry[], offset: number, zip64From: number): Buffer {
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

/** ZIP64's own end record, and its location. */
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

import { crc32 } from "node:zlib";
import { Deflate } from "fflate";

/**
 * ZIP archives (PKWARE's APPNOTE) without a clock: every entry bears the format's first day, and equal entries give equal bytes on every machine. Below
 * 4 GiB and 65,536 entries. Names are ASCII.
 */
const VERSION_NEEDED = 20;
const DEFLATED = 8;
/** 1980-01-01 */
const FIRST_DATE = 0x21;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
/** Text is encoded when there is so much of it: rows are short. */
const TEXT_CHARACTERS = 65_536;

export interface Packed {
  readonly checksum: number;
  /** before it was compressed */
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface ZipEntry extends Packed {
  readonly path: string;
}

/** 6 of 9: zlib's own default. */
const LEVEL = 6;

/** Text that grows; what is held of it is compressed: by plain JavaScript, since the bytes that node:zlib gives depend on the processor and on Node. */
export class Packer {
  readonly #chunks: Uint8Array[] = [];
  readonly #deflate = new Deflate({ level: LEVEL }, (chunk) => {
    this.#chunks.push(chunk);
  });
  #text = "";
  #checksum = 0;
  #size = 0;

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= TEXT_CHARACTERS) {
      this.#encode();
    }
  }

  finish(): Packed {
    this.#encode();
    this.#deflate.push(new Uint8Array(), true);
    return { checksum: this.#checksum, size: this.#size, bytes: Buffer.concat(this.#chunks) };
  }

  #encode(): void {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    this.#checksum = crc32(bytes, this.#checksum);
    this.#size += bytes.length;
    this.#deflate.push(bytes);
  }
}

export function zipEntry(path: string, text: string): ZipEntry {
  const packer = new Packer();
  packer.write(text);
  return { path, ...packer.finish() };
}

export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  let offset = 0;
  const central: Buffer[] = [];
  const locals = entries.flatMap((entry) => {
    const name = Buffer.from(entry.path, "latin1");
    const common = commonHeader(entry, name.length);
    central.push(centralHeader(common, offset), name);
    const local = [localHeader(common), name, entry.bytes];
    offset += local.reduce((sum, { length }) => sum + length, 0);
    return local;
  });
  const directory = Buffer.concat(central);
  return Buffer.concat([...locals, directory, endRecord(entries.length, directory.length, offset)]);
}

/** What the two headers of an entry share, from the version needed to the length of the extra field. */
function commonHeader({ checksum, size, bytes }: ZipEntry, nameLength: number): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES - 4);
  header.writeUInt16LE(VERSION_NEEDED, 0);
  header.writeUInt16LE(DEFLATED, 4);
  header.writeUInt16LE(FIRST_DATE, 8);
  header.writeUInt32LE(checksum, 10);
  header.writeUInt32LE(bytes.length, 14);
  header.writeUInt32LE(size, 18);
  header.writeUInt16LE(nameLength, 22);
  return header;
}

function localHeader(common: Buffer): Buffer {
  return Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common]);
}

function centralHeader(common: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
  header.write("PK\x01\x02", "latin1");
  header.writeUInt16LE(VERSION_NEEDED, 4);
  common.copy(header, 6);
  header.writeUInt32LE(offset, 42);
  return header;
}

function endRecord(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryOffset, 16);
  return end;
}

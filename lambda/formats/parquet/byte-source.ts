/** Reads bytes from the beginning and never beyond the end. Throws on damaged data. */
export class ByteSource {
  readonly bytes: Buffer;
  readonly view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.check(at >= 0 && at <= bytes.length, "an offset outside the file");
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    return this.uint(1);
  }

  /** Little-endian, up to four bytes. */
  uint(size: number): number {
    this.check(size <= this.left, "the data ends too early");
    const value = size === 0 ? 0 : this.bytes.readUIntLE(this.at, size);
    this.at += size;
    return value;
  }

  /** LEB128, up to 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      this.check(value <= Number.MAX_SAFE_INTEGER, "a number that is too large");
      if (byte < 128) {
        return value;
      }
      this.check(scale < 2 ** 63, "a number with too many bytes");
    }
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The next `size` bytes. */
  take(size: number): Buffer {
    this.check(size <= this.left, "the data ends too early");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  check(isSound: boolean, why: string): void {
    if (!isSound) {
      throw new TypeError(`not a Parquet file with the expected columns: ${why}`);
    }
  }
}

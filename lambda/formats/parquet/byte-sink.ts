const FIRST_BYTES = 65_536;

/** A growing byte buffer. After `clear` it reuses its memory. */
export class ByteSink {
  /** The memory. Its content is defined only up to `length`. */
  bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  view: DataView = viewOf(this.bytes);
  length = 0;

  /** Makes room for `size` more bytes and returns their offset. May replace `bytes` and `view`. */
  room(size: number): number {
    const needed = this.length + size;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
      this.view = viewOf(larger);
    }
    return this.length;
  }

  byte(value: number): void {
    const at = this.room(1);
    this.bytes[at] = value;
    this.length += 1;
  }

  /** Little-endian, like all numbers. */
  uint32(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, true);
    this.length += 4;
  }

  int64(value: number): void {
    const at = this.room(8);
    this.view.setBigInt64(at, BigInt(value), true);
    this.length += 8;
  }

  /** A whole number from 0 to 2^53, as LEB128. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** A signed whole number, zigzag-encoded, as LEB128. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
    this.length += bytes.length;
  }

  /** A length in four bytes, then the text as UTF-8. Lone surrogates become U+FFFD. */
  text(text: string): void {
    const at = this.room(4 + 3 * text.length);
    const size = this.bytes.write(text, at + 4, "utf8");
    this.view.setUint32(at, size, true);
    this.length = at + 4 + size;
  }

  /** The bytes written so far. `clear` and later writes may overwrite them. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

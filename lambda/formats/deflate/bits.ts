const CHUNK_BYTES = 65_536;

/** Bits, the lowest of a byte first. */
export class BitWriter {
  readonly #chunks: Uint8Array[] = [];
  #chunk = new Uint8Array(CHUNK_BYTES);
  #at = 0;
  #waiting = 0;
  #count = 0;

  /** At most 16 bits at once. */
  write(value: number, bits: number): void {
    this.#waiting |= value << this.#count;
    this.#count += bits;
    while (this.#count >= 8) {
      this.#put(this.#waiting & 0xff);
      this.#waiting >>>= 8;
      this.#count -= 8;
    }
  }

  /** All of them, with zeros up to the end of the last byte. */
  finish(): Uint8Array {
    this.write(0, (8 - this.#count) % 8);
    return Buffer.concat([...this.#chunks, this.#chunk.subarray(0, this.#at)]);
  }

  #put(byte: number): void {
    if (this.#at === CHUNK_BYTES) {
      this.#chunks.push(this.#chunk);
      this.#chunk = new Uint8Array(CHUNK_BYTES);
      this.#at = 0;
    }
    this.#chunk[this.#at] = byte;
    this.#at += 1;
  }
}

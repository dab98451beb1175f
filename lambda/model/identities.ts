import { PackedFill, PLACE } from "./fast/packed-fill.ts";
import { type Fill, identityOf } from "./fill.ts";

type Identified = Pick<Fill, "matchId" | "orderId">;

const FIRST_SLOTS = 64;
const FIRST_BYTES = 4096;
const BYTES_A_UNIT = 2; // of UTF-16
const FNV_PRIME = 0x01_00_01_93;
const FNV_BASIS = 0x81_1c_9d_c5;
/** Begins an identity that is not ASCII, in which no byte is as large. */
const WIDE = 0xff;

/**
 * Numbers identities from 0, in the order in which they come. Each is kept as its bytes, in one piece of memory for all: a text made of each would be copied by the
 * collections that it lives through, and a fill would keep its page.
 */
export class Identities {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** By number: where each ends. The next one is written behind the last. */
  #ends = new Uint32Array(FIRST_SLOTS);
  /** By number. */
  #hashes = new Int32Array(FIRST_SLOTS);
  /** Numbers plus one, by hash; 0: free. At most half of them are taken. */
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #size = 0;

  static of(fills: Iterable<Identified>): Identities {
    const all = new Identities();
    for (const fill of fills) {
      all.add(fill);
    }
    return all;
  }

  get size(): number {
    return this.#size;
  }

  /** Those that it had not. */
  addNew<F extends Identified>(fills: readonly F[]): readonly F[] {
    return fills.filter((fill) => {
      const known = this.#size;
      return this.add(fill) === known;
    });
  }

  /** Forgets all of them, and keeps the memory. */
  clear(): void {
    this.#slots.fill(0);
    this.#size = 0;
  }

  has(fill: Identified): boolean {
    return this.numberOf(fill) !== undefined;
  }

  numberOf(fill: Identified): number | undefined {
    const start = this.#startOf(this.#size);
    const end = this.#write(fill, start);
    const number = this.#slots[this.#slotOf(start, end, this.#hashOf(start, end))] as number;
    return number === 0 ? undefined : number - 1;
  }

  /** Its number: less than `size` was before when it is not new. */
  add(fill: Identified): number {
    const start = this.#startOf(this.#size);
    const end = this.#write(fill, start);
    const hash = this.#hashOf(start, end);
    const slot = this.#slotOf(start, end, hash);
    const known = (this.#slots[slot] as number) - 1;
    if (known !== -1) {
      return known;
    }
    const number = this.#size;
    this.#slots[slot] = number + 1;
    this.#ends[number] = end;
    this.#hashes[number] = hash;
    this.#size += 1;
    if (this.#size === this.#ends.length) {
      this.#grow();
    }
    return number;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  /** Writes an identity, and says where it ends. */
  #write(fill: Identified, start: number): number {
    if (fill instanceof PackedFill) {
      this.#makeRoom(start + fill.end(PLACE.orderId) - fill.start(PLACE.matchId));
      const middle = fill.copyText(PLACE.matchId, this.#bytes, start);
      this.#bytes[middle] = 0;
      return fill.copyText(PLACE.orderId, this.#bytes, middle + 1);
    }
    const text = identityOf(fill);
    this.#makeRoom(start + 1 + BYTES_A_UNIT * text.length);
    if (Buffer.byteLength(text) === text.length) {
      return start + this.#bytes.write(text, start, "latin1");
    }
    this.#bytes[start] = WIDE;
    return start + 1 + this.#bytes.write(text, start + 1, "utf16le");
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * bytes);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
  }

  #hashOf(start: number, end: number): number {
    const bytes = this.#bytes;
    let hash = FNV_BASIS;
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
    }
    return hash ^ (hash >>> 15);
  }

  /** Where its number is, or would be. */
  #slotOf(start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number === -1 || (this.#hashes[number] === hash && this.#isAt(number, start, end))) {
        return slot;
      }
    }
  }

  #isAt(number: number, start: number, end: number): boolean {
    const known = this.#startOf(number);
    if ((this.#ends[number] as number) - known !== end - start) {
      return false;
    }
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) {
      if (bytes[known + at - start] !== bytes[at]) {
        return false;
      }
    }
    return true;
  }

  #grow(): void {
    const [ends, hashes] = [new Uint32Array(2 * this.#size), new Int32Array(2 * this.#size)];
    ends.set(this.#ends);
    hashes.set(this.#hashes);
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      let slot = (hashes[number] as number) & mask;
      while (slots[slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number + 1;
    }
    [this.#ends, this.#hashes, this.#slots] = [ends, hashes, slots];
  }
}

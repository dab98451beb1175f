import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";
import { readBits, writeBits } from "./hybrid.ts";
import { bitsFor } from "./table.ts";

/** DELTA_BINARY_PACKED (parquet-format, Encodings.md): the differences of whole numbers, in blocks, each in miniblocks of their own width. */
const BLOCK = 128;
const MINIBLOCKS = 4;
const MINIBLOCK = BLOCK / MINIBLOCKS;

const FIRST_LIMIT = 2 ** 52;

/** Whether `writeDeltas` takes the numbers: their differences lie in a range that 32 bits hold, and twice the first is exact. */
export function hasSmallDeltas(values: Float64Array): boolean {
  if (Math.abs(values[0] ?? 0) >= FIRST_LIMIT) {
    return false;
  }
  let [least, most] = [0, 0];
  for (let at = 1; at < values.length; at += 1) {
    const delta = (values[at] ?? 0) - (values[at - 1] ?? 0);
    least = Math.min(least, delta);
    most = Math.max(most, delta);
  }
  return most - least < 2 ** 32;
}

/** Whole numbers, exact as doubles. */
export function writeDeltas(values: Float64Array, out: ByteSink): void {
  out.varint(BLOCK);
  out.varint(MINIBLOCKS);
  out.varint(values.length);
  out.zigzag(values[0] ?? 0);
  for (let from = 1; from < values.length; from += BLOCK) {
    writeBlock(values, from, Math.min(BLOCK, values.length - from), out);
  }
}

/** How much each difference of a block, or of a miniblock that is read, is above the least of the block; 0 behind the last. */
const above = new Uint32Array(BLOCK);

function writeBlock(values: Float64Array, from: number, size: number, out: ByteSink): void {
  const deltaAt = (place: number): number => (values[from + place] ?? 0) - (values[from + place - 1] ?? 0);
  let least = Number.POSITIVE_INFINITY;
  for (let place = 0; place < size; place += 1) {
    least = Math.min(least, deltaAt(place));
  }
  for (let place = 0; place < BLOCK; place += 1) {
    above[place] = place < size ? deltaAt(place) - least : 0;
  }
  out.zigzag(least);
  const widths = Array.from({ length: MINIBLOCKS }, (_, at) => bitsFor(mostIn(at * MINIBLOCK)));
  out.append(Uint8Array.from(widths));
  for (const [at, width] of widths.entries()) {
    // Miniblocks behind the last number are not written.
    if (at * MINIBLOCK < size) {
      writeBits(above, at * MINIBLOCK, (at + 1) * MINIBLOCK, width, out);
    }
  }
}

function mostIn(from: number): number {
  let most = 0;
  for (let place = from; place < from + MINIBLOCK; place += 1) {
    most = Math.max(most, above[place] ?? 0);
  }
  return most;
}

/** `count` numbers, as `writeDeltas` writes them. Throws where there are not as many, or one is not exact as a double. */
export function readDeltas(source: ByteSource, count: number): Float64Array {
  source.check(source.varint() === BLOCK && source.varint() === MINIBLOCKS, "blocks that cannot be");
  source.check(source.varint() === count, "not as many numbers as rows");
  const values = new Float64Array(count);
  let value = source.zigzag();
  values.fill(value, 0, 1);
  for (let from = 1; from < count; from += BLOCK) {
    const least = source.zigzag();
    for (const [at, width] of source.take(MINIBLOCKS).entries()) {
      const some = values.subarray(from + at * MINIBLOCK, from + (at + 1) * MINIBLOCK);
      if (some.length > 0) {
        source.check(width <= 32, "differences of too many bits");
        readBits(source.take((MINIBLOCK * width) / 8), some.length, width, above, 0);
      }
      for (let place = 0; place < some.length; place += 1) {
        value += least + (above[place] ?? 0);
        source.check(Number.isSafeInteger(value), "a number that is too large");
        some[place] = value;
      }
    }
  }
  return values;
}

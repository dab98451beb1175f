import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";
import { readBits, writeBits } from "./hybrid.ts";
import { bitsFor } from "./table.ts";

/**
 * DELTA_BINARY_PACKED (parquet-format, Encodings.md): differences of whole numbers in blocks of four
 * miniblocks, each with a bit width of its own.
 */
const BLOCK = 128;
const MINIBLOCKS = 4;
const MINIBLOCK = BLOCK / MINIBLOCKS;

/** Twice the first number must be exact as a double, for zigzag. */
const LARGEST_FIRST = 2 ** 52 - 1;
/** The most bits of one difference within a block. */
const LARGEST_WIDTH = 32;

/** True if `writeDeltas` can write the numbers: the range of their differences fits in 32 bits. */
export function hasSmallDeltas(values: Float64Array): boolean {
  if (Math.abs(values[0] ?? 0) > LARGEST_FIRST) {
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

/** `values`: whole numbers, exact as doubles. */
export function writeDeltas(values: Float64Array, out: ByteSink): void {
  out.varint(BLOCK);
  out.varint(MINIBLOCKS);
  out.varint(values.length);
  out.zigzag(values[0] ?? 0);
  for (let from = 1; from < values.length; from += BLOCK) {
    writeBlock(values, from, Math.min(BLOCK, values.length - from), out);
  }
}

/** Each difference of a block less the block's least difference. 0 after the last. */
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
    // Miniblocks after the last number are left out.
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

/**
 * The inverse of `writeDeltas`. Throws if there are not `count` numbers, or if one is not exact as a double.
 */
export function readDeltas(source: ByteSource, count: number): Float64Array {
  source.check(source.varint() === BLOCK && source.varint() === MINIBLOCKS, "an unexpected block size");
  source.check(source.varint() === count, "the number of values differs from the number of rows");
  const values = new Float64Array(count);
  values.fill(source.zigzag(), 0, 1);
  for (let from = 1; from < count; ) {
    const least = source.zigzag();
    for (const width of source.take(MINIBLOCKS)) {
      const some = values.subarray(from, from + MINIBLOCK);
      if (some.length > 0) {
        source.check(width <= LARGEST_WIDTH, "differences with too many bits");
        readBits(source.take((MINIBLOCK * width) / 8), some.length, width, above, 0);
        addUp(some, values[from - 1] ?? 0, least, source);
      }
      from += some.length;
    }
  }
  return values;
}

/** Fills in the numbers. Each difference is `least` plus its entry in `above`. */
function addUp(values: Float64Array, before: number, least: number, source: ByteSource): void {
  let value = before;
  for (let place = 0; place < values.length; place += 1) {
    value += least + (above[place] ?? 0);
    source.check(Number.isSafeInteger(value), "a number that is too large");
    values[place] = value;
  }
}

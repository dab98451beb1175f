import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";
import { readBits, writeBits } from "./hybrid.ts";
import { bitsFor } from "./table.ts";

/** DELTA_BINARY_PACKED (parquet-format, Encodings.md): the differences of whole numbers, in blocks, each in miniblocks of their own width. */
const BLOCK = 128;
const MINIBLOCKS = 4;
const MINIBLOCK = BLOCK / MINIBLOCKS;

const LARGEST_FIRST = 2 ** 52;
const LARGEST_BLOCK = 65_536;

/** Whether `writeDeltas` takes the numbers: their differences lie in a range that 32 bits hold, and twice the first is exact. */
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

/** How much each difference of a block is above the least of them; 0 behind the last. */
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

/** `count` numbers, of differences of any 64 bits, as an earlier fillbook wrote them. Throws where there are not as many, or one is not exact as a double. */
export function readDeltas(source: ByteSource, count: number): Float64Array {
  const [block, miniblocks, written] = [source.varint(), source.varint(), source.varint()];
  const miniblock = block / miniblocks;
  source.check(miniblock % 32 === 0 && block > 0 && block <= LARGEST_BLOCK, "blocks that cannot be");
  source.check(written === count, "not as many numbers as rows");
  const values = new Float64Array(count);
  const first = exact(source, Number(readZigzag(source)));
  values.fill(first, 0, 1);
  for (let from = 1; from < count; ) {
    const least = readZigzag(source);
    for (const width of source.take(miniblocks)) {
      const some = values.subarray(from, from + miniblock);
      if (some.length > 0) {
        const bytes = source.take((miniblock * width) / 8);
        readMiniblock({ bytes, width, least, before: values[from - 1] ?? 0 }, some, source);
      }
      from += some.length;
    }
  }
  return values;
}

interface Miniblock {
  readonly bytes: Buffer;
  readonly width: number;
  readonly least: bigint;
  /** The number before its first. */
  readonly before: number;
}

function readMiniblock({ bytes, width, least, before }: Miniblock, values: Float64Array, source: ByteSource): void {
  // Beyond that a sum of doubles may not be exact.
  const isNarrow = width <= 32 && BigInt.asIntN(52, least) === least;
  const deltas = new Uint32Array(values.length);
  if (isNarrow) {
    readBits(bytes, values.length, width, deltas, 0);
  }
  let value = before;
  for (const [place, delta] of deltas.entries()) {
    value = isNarrow ? value + Number(least) + delta : Number(BigInt(value) + least + wideBits(bytes, place, width));
    values[place] = exact(source, value);
  }
}

function exact(source: ByteSource, value: number): number {
  source.check(Number.isSafeInteger(value), "a number that is too large");
  return value;
}

function readZigzag(source: ByteSource): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = source.byte();
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) {
      return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
    }
    source.check(shift < 63n, "a number that is too long");
  }
}

/** The number at a place among numbers of so many bits. */
function wideBits(bytes: Buffer, place: number, width: number): bigint {
  let value = 0n;
  const from = place * width;
  for (let byte = (from + width - 1) >> 3; byte >= from >> 3; byte -= 1) {
    value = (value << 8n) | BigInt(bytes[byte] ?? 0);
  }
  return BigInt.asUintN(width, value >> BigInt(from & 7));
}

import type { ByteSink } from "./byte-sink.ts";
import type { ByteSource } from "./byte-source.ts";

/**
 * Parquet's hybrid of run lengths and bit packing, for definition levels and dictionary indices
 * (parquet-format, Encodings.md).
 */

/** Values are packed in groups of this size. A shorter run is not worth its header. */
const GROUP = 8;

export function writeHybrid(values: Uint32Array, width: number, out: ByteSink): void {
  let packedFrom = 0;
  let at = 0;
  while (at < values.length) {
    const run = runAt(values, at);
    if (run < GROUP) {
      at += GROUP;
      continue;
    }
    writeGroups(values, packedFrom, at, width, out);
    writeRun(values[at] ?? 0, run, width, out);
    at += run;
    packedFrom = at;
  }
  writeGroups(values, packedFrom, values.length, width, out);
}

/** Writes `count` times the same value. */
export function writeRun(value: number, count: number, width: number, out: ByteSink): void {
  out.varint(count * 2);
  for (let shift = 0; shift < width; shift += 8) {
    out.byte((value >>> shift) & 0xff);
  }
}

function runAt(values: Uint32Array, from: number): number {
  const value = values[from];
  let to = from + 1;
  while (to < values.length && values[to] === value) {
    to += 1;
  }
  return to - from;
}

function writeGroups(values: Uint32Array, from: number, to: number, width: number, out: ByteSink): void {
  const groups = Math.ceil((to - from) / GROUP);
  if (groups > 0) {
    out.varint(groups * 2 + 1);
    writeBits(values, from, from + groups * GROUP, width, out);
  }
}

/**
 * Packs values of `width` bits (at most 32), the first in the lowest bits. Values beyond the array's end
 * count as 0.
 */
export function writeBits(values: Uint32Array, from: number, to: number, width: number, out: ByteSink): void {
  let end = out.room(Math.ceil(((to - from) * width) / 8) + 4);
  const { bytes } = out;
  const lowWidth = Math.min(width, 16);
  const highWidth = width - lowWidth;
  let held = 0;
  let bits = 0;
  for (let at = from; at < to; at += 1) {
    const value = values[at] ?? 0;
    // Each value is added in two halves, because `held` must fit in 32 bits.
    held |= (value & 0xff_ff) << bits;
    for (bits += lowWidth; bits >= 8; bits -= 8) {
      bytes[end] = held;
      end += 1;
      held >>>= 8;
    }
    if (highWidth > 0) {
      held |= (value >>> 16) << bits;
      for (bits += highWidth; bits >= 8; bits -= 8) {
        bytes[end] = held;
        end += 1;
        held >>>= 8;
      }
    }
  }
  if (bits > 0) {
    bytes[end] = held;
    end += 1;
  }
  out.length = end;
}

/** Reads `count` values. Throws if the source holds fewer, or a run goes beyond them. */
export function readHybrid(source: ByteSource, count: number, width: number): Uint32Array {
  const values = new Uint32Array(count);
  let at = 0;
  while (at < count) {
    const header = source.varint();
    const size = Math.floor(header / 2);
    source.check(size > 0, "an empty run");
    if (header % 2 === 1) {
      const packed = Math.min(size * GROUP, count - at);
      readBits(source.take(size * width), packed, width, values, at);
      at += packed;
    } else {
      source.check(size <= count - at, "a run beyond the last value");
      values.fill(source.uint(Math.ceil(width / 8)), at, at + size);
      at += size;
    }
  }
  return values;
}

/** The inverse of `writeBits`. */
export function readBits(bytes: Uint8Array, count: number, width: number, values: Uint32Array, from: number): void {
  const lowWidth = Math.min(width, 16);
  const highWidth = width - lowWidth;
  const lowMask = 2 ** lowWidth - 1;
  const highMask = 2 ** highWidth - 1;
  let held = 0;
  let bits = 0;
  let next = 0;
  for (let at = from; at < from + count; at += 1) {
    for (; bits < lowWidth; bits += 8) {
      held |= (bytes[next] ?? 0) << bits;
      next += 1;
    }
    let value = held & lowMask;
    held >>>= lowWidth;
    bits -= lowWidth;
    if (highWidth > 0) {
      for (; bits < highWidth; bits += 8) {
        held |= (bytes[next] ?? 0) << bits;
        next += 1;
      }
      value |= (held & highMask) << 16;
      held >>>= highWidth;
      bits -= highWidth;
    }
    values[at] = value;
  }
}

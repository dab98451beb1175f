import type { ByteSink } from "./byte-sink.ts";
import { ByteSource } from "./byte-source.ts";

/**
 * Snappy's raw format (google/snappy, format_description.txt) in plain JavaScript, so that the same input
 * gives the same bytes on every machine.
 */
const HASH_BITS = 14;
const MULTIPLIER = 0x1e_35_a7_bd;
const MAX_OFFSET = 65_535;
const MIN_COPY = 4;
const MAX_COPY = 64;
const MAX_SHORT_LITERAL = 60;

const LITERAL = 0;
const NEAR_COPY = 1; // 4 to 11 bytes, from at most 2,047 back
const FAR_COPY = 2; // 1 to 64 bytes, from at most 65,535 back

const places = new Uint32Array(1 << HASH_BITS);

export function compress(input: Uint8Array, out: ByteSink): void {
  out.varint(input.length);
  // A literal adds at most one byte per 60, and a few at its start. A copy is never longer than what it
  // replaces.
  out.room(input.length + Math.ceil(input.length / MAX_SHORT_LITERAL) + 8);
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  places.fill(0);
  const last = input.length - MIN_COPY;
  let written = 0;
  let at = 1;
  while (at <= last) {
    const word = view.getInt32(at, true);
    const slot = Math.imul(word, MULTIPLIER) >>> (32 - HASH_BITS);
    const known = places[slot] ?? 0;
    places[slot] = at;
    if (at - known > MAX_OFFSET || view.getInt32(known, true) !== word) {
      // The longer nothing repeats, the larger the steps.
      at += 1 + ((at - written) >> 5);
      continue;
    }
    let length = MIN_COPY;
    while (at + length < input.length && input[known + length] === input[at + length]) {
      length += 1;
    }
    writeLiteral(input, written, at, out);
    writeCopies(at - known, length, out);
    at += length;
    written = at;
  }
  writeLiteral(input, written, input.length, out);
}

function writeLiteral(input: Uint8Array, from: number, to: number, out: ByteSink): void {
  const size = to - from;
  if (size === 0) {
    return;
  }
  out.room(size + 5);
  const { bytes } = out;
  if (size <= MAX_SHORT_LITERAL) {
    bytes[out.length] = (size - 1) << 2;
    let end = out.length + 1;
    for (let at = from; at < to; at += 1) {
      bytes[end] = input[at] ?? 0;
      end += 1;
    }
    out.length = end;
    return;
  }
  // The tag says how many bytes hold the size.
  const sizeBytes = Math.ceil((32 - Math.clz32(size - 1)) / 8);
  out.byte((MAX_SHORT_LITERAL - 1 + sizeBytes) << 2);
  bytes.writeUIntLE(size - 1, out.length, sizeBytes);
  out.length += sizeBytes;
  out.append(input.subarray(from, to));
}

function writeCopies(offset: number, length: number, out: ByteSink): void {
  let rest = length;
  // Leaves enough for the last copy to be a valid one.
  while (rest >= MAX_COPY + MIN_COPY) {
    writeFarCopy(offset, MAX_COPY, out);
    rest -= MAX_COPY;
  }
  if (rest > MAX_COPY) {
    writeFarCopy(offset, MAX_COPY - MIN_COPY, out);
    rest -= MAX_COPY - MIN_COPY;
  }
  if (rest < 12 && offset < 2048) {
    const at = out.room(2);
    out.bytes[at] = NEAR_COPY | ((rest - MIN_COPY) << 2) | ((offset >> 8) << 5);
    out.bytes[at + 1] = offset & 0xff;
    out.length += 2;
  } else {
    writeFarCopy(offset, rest, out);
  }
}

function writeFarCopy(offset: number, length: number, out: ByteSink): void {
  const at = out.room(3);
  out.bytes[at] = FAR_COPY | ((length - 1) << 2);
  out.bytes[at + 1] = offset & 0xff;
  out.bytes[at + 2] = offset >> 8;
  out.length += 3;
}

/** A copy of 64 bytes takes at least three bytes. */
const MAX_RATIO = 22;

/**
 * Throws if the input is not exactly one compressed block. Allocates at most MAX_RATIO times the input's
 * size.
 */
export function uncompress(input: Uint8Array): Buffer {
  const source = new ByteSource(input);
  const size = source.varint();
  source.check(size <= MAX_RATIO * input.length, "Snappy data with an impossible length");
  const out = Buffer.allocUnsafe(size);
  let end = 0;
  while (source.left > 0) {
    const tag = source.byte();
    if ((tag & 3) === LITERAL) {
      const literal = source.take(literalSize(tag, source));
      source.check(end + literal.length <= size, "Snappy data of unexpected length");
      out.set(literal, end);
      end += literal.length;
    } else {
      end = copyBack(out, end, tag, source);
    }
  }
  source.check(end === size, "Snappy data of unexpected length");
  return out;
}

function literalSize(tag: number, source: ByteSource): number {
  const size = (tag >> 2) + 1;
  return size <= MAX_SHORT_LITERAL ? size : source.uint(size - MAX_SHORT_LITERAL) + 1;
}

/** Copies earlier output to its end. Returns the new end. */
function copyBack(out: Uint8Array, end: number, tag: number, source: ByteSource): number {
  let length = (tag >> 2) + 1;
  let offset: number;
  if ((tag & 3) === NEAR_COPY) {
    length = ((tag >> 2) & 7) + MIN_COPY;
    offset = source.byte() + ((tag >> 5) << 8);
  } else {
    offset = source.uint((tag & 3) === FAR_COPY ? 2 : 4);
  }
  source.check(offset > 0 && offset <= end && end + length <= out.length, "a Snappy copy from outside the data");
  // Byte by byte, because the source may overlap the bytes that the copy writes.
  for (let at = end; at < end + length; at += 1) {
    out[at] = out[at - offset] ?? 0;
  }
  return end + length;
}

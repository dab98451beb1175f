import { BitWriter } from "./bits.ts";
import { codeLengths, codesOf } from "./huffman.ts";
import { FIRST_MATCH, MAX_MATCH, Matcher } from "./matches.ts";

/**
 * Raw DEFLATE (RFC 1951) in plain code, so that equal bytes are compressed to equal bytes on every machine: node:zlib is native, and may compress
 * otherwise on another processor or in another version of Node. Each block of the input is compressed for itself, wherever `push` cuts it.
 */
const BLOCK_BYTES = 262_144;
const END_OF_BLOCK = 256;
const LITERALS = 286;
const DISTANCES = 30;
const MAX_BITS = 15;
/** The order in which RFC 1951, 3.2.7, writes the lengths of the codes that write the lengths of the codes. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
const MAX_LENGTH_BITS = 7;

export class Deflate {
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #matcher = new Matcher(BLOCK_BYTES);
  readonly #bits = new BitWriter();
  #filled = 0;

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.#filled === BLOCK_BYTES) {
        this.#write(false);
      }
      const taken = bytes.subarray(from, from + BLOCK_BYTES - this.#filled);
      this.#block.set(taken, this.#filled);
      this.#filled += taken.length;
      from += taken.length;
    }
  }

  /** All that was compressed. */
  finish(): Uint8Array {
    this.#write(true);
    return this.#bits.finish();
  }

  #write(isLast: boolean): void {
    writeBlock(this.#bits, this.#matcher.tokensOf(this.#block.subarray(0, this.#filled)), isLast);
    this.#filled = 0;
  }
}

/** A block with codes of its own. */
function writeBlock(bits: BitWriter, tokens: Uint32Array, isLast: boolean): void {
  const literals = new Uint32Array(LITERALS);
  const distances = new Uint32Array(DISTANCES);
  literals[END_OF_BLOCK] = 1;
  for (const token of tokens) {
    if (token < FIRST_MATCH) {
      increment(literals, token);
    } else {
      increment(literals, lengthSymbol(lengthOf(token)));
      increment(distances, distanceSymbol(distanceOf(token)));
    }
  }
  const literalLengths = codeLengths(literals, MAX_BITS);
  const distanceLengths = codeLengths(distances, MAX_BITS);
  bits.write(isLast ? 1 : 0, 1);
  bits.write(2, 2);
  writeLengths(bits, literalLengths, distanceLengths);
  writeTokens(bits, tokens, literalLengths, distanceLengths);
}

function increment(counts: Uint32Array, symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

/** How long the codes are: in RFC 1951's words HLIT, HDIST, HCLEN, and then each length, without its codes for runs. */
function writeLengths(bits: BitWriter, literalLengths: Uint8Array, distanceLengths: Uint8Array): void {
  const all = [...literalLengths, ...distanceLengths];
  const counts = new Uint32Array(LENGTH_ORDER.length);
  for (const length of all) {
    increment(counts, length);
  }
  const lengths = codeLengths(counts, MAX_LENGTH_BITS);
  const codes = codesOf(lengths);
  bits.write(LITERALS - 257, 5);
  bits.write(DISTANCES - 1, 5);
  bits.write(LENGTH_ORDER.length - 4, 4);
  for (const symbol of LENGTH_ORDER) {
    bits.write(lengths[symbol] ?? 0, 3);
  }
  for (const length of all) {
    bits.write(codes[length] ?? 0, lengths[length] ?? 0);
  }
}

function writeTokens(
  bits: BitWriter,
  tokens: Uint32Array,
  literalLengths: Uint8Array,
  distanceLengths: Uint8Array,
): void {
  const literalCodes = codesOf(literalLengths);
  const distanceCodes = codesOf(distanceLengths);
  const writeLiteral = (symbol: number): void => {
    bits.write(literalCodes[symbol] ?? 0, literalLengths[symbol] ?? 0);
  };
  for (const token of tokens) {
    if (token < FIRST_MATCH) {
      writeLiteral(token);
      continue;
    }
    const length = lengthOf(token);
    writeLiteral(lengthSymbol(length));
    writeLowBits(bits, length - 3, lengthExtra(length));
    const distance = distanceOf(token);
    const symbol = distanceSymbol(distance);
    bits.write(distanceCodes[symbol] ?? 0, distanceLengths[symbol] ?? 0);
    writeLowBits(bits, distance - 1, distanceExtra(distance));
  }
  writeLiteral(END_OF_BLOCK);
}

function writeLowBits(bits: BitWriter, value: number, count: number): void {
  bits.write(value & (2 ** count - 1), count);
}

function lengthOf(token: number): number {
  return Math.floor(token / FIRST_MATCH);
}

function distanceOf(token: number): number {
  return token % FIRST_MATCH;
}

/** Of the table in RFC 1951, 3.2.5: four symbols for each power of two, but for the longest match. */
function lengthSymbol(length: number): number {
  const extra = lengthExtra(length);
  return length === MAX_MATCH ? 285 : 257 + 4 * extra + ((length - 3) >> extra);
}

function lengthExtra(length: number): number {
  return length < 11 || length === MAX_MATCH ? 0 : 29 - Math.clz32(length - 3);
}

/** Two symbols for each power of two. */
function distanceSymbol(distance: number): number {
  const extra = distanceExtra(distance);
  return 2 * extra + ((distance - 1) >> extra);
}

function distanceExtra(distance: number): number {
  return distance < 5 ? 0 : 30 - Math.clz32(distance - 1);
}

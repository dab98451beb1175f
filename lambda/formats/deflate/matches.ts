const WINDOW_BYTES = 32_768;
const MIN_MATCH = 4;
export const MAX_MATCH = 258;
/** Earlier places that are looked at for a match. */
const TRIES = 16;
const HASH_BITS = 15;

/** Tokens of a match begin here: length × 2^16 + distance. Below it a token is a byte. */
export const FIRST_MATCH = 65_536;

/** Finds what a block of bytes repeats (LZ77): the longest of a few earlier places with the same four bytes, nearest first. */
export class Matcher {
  readonly #head = new Int32Array(2 ** HASH_BITS);
  readonly #previous: Int32Array;
  readonly #tokens: Uint32Array;

  constructor(blockBytes: number) {
    this.#previous = new Int32Array(blockBytes);
    this.#tokens = new Uint32Array(blockBytes);
  }

  /** The block as tokens; they are good until the next call. */
  tokensOf(block: Uint8Array): Uint32Array {
    this.#head.fill(-1);
    let count = 0;
    let at = 0;
    while (at < block.length) {
      const match = this.#matchAt(block, at);
      this.#tokens[count] = match === 0 ? (block[at] ?? 0) : match;
      count += 1;
      const end = at + Math.max(match >>> 16, 1);
      while (at < end) {
        this.#remember(block, at);
        at += 1;
      }
    }
    return this.#tokens.subarray(0, count);
  }

  /** A match's token; 0: there is none. */
  #matchAt(block: Uint8Array, at: number): number {
    let best = 0;
    let length = MIN_MATCH - 1;
    let place = at + MIN_MATCH > block.length ? -1 : (this.#head[hashAt(block, at)] ?? -1);
    for (let tries = TRIES; tries > 0 && place >= 0 && at - place <= WINDOW_BYTES; tries -= 1) {
      const found = block[place + length] === block[at + length] ? matchLength(block, place, at) : 0;
      if (found > length) {
        length = found;
        best = found * FIRST_MATCH + at - place;
      }
      place = this.#previous[place] ?? -1;
    }
    return best;
  }

  #remember(block: Uint8Array, at: number): void {
    if (at + MIN_MATCH <= block.length) {
      const hash = hashAt(block, at);
      this.#previous[at] = this.#head[hash] ?? -1;
      this.#head[hash] = at;
    }
  }
}

function hashAt(block: Uint8Array, at: number): number {
  const four =
    (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8) | ((block[at + 2] ?? 0) << 16) | ((block[at + 3] ?? 0) << 24);
  return Math.imul(four, 0x9e_37_79_b1) >>> (32 - HASH_BITS);
}

function matchLength(block: Uint8Array, earlier: number, at: number): number {
  const most = Math.min(MAX_MATCH, block.length - at);
  let length = 0;
  while (length < most && block[earlier + length] === block[at + length]) {
    length += 1;
  }
  return length;
}

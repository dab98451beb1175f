import type { Random } from "../../lambda/core/random.ts";

export type Prng = ReturnType<typeof prng>;

/**
 * Seeded randomness for tests: mulberry32 (Tommy Ettinger, public domain) with a 32-bit seed. Not for
 * secrets.
 */
export function prng(seed: number) {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    /** Uniform 32-bit unsigned integer. */
    word,
    /** Uniform in [0, 1), 32 bits. */
    next: () => word() / 2 ** 32,
    /** Uniform integer in [0, bound). */
    int: (bound: number) => Math.floor((word() / 2 ** 32) * bound),
  };
}

/** A 32-bit hash of integers, by murmur3's mixing steps. The same inputs always give the same word. */
export function hash32(...values: readonly number[]): number {
  let hash = 0x97_47_b2_8c;
  for (const value of values) {
    hash = step(hash, value >>> 0);
    hash = step(hash, Math.floor(value / 2 ** 32) >>> 0); // times have 41 bits
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85_eb_ca_6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `hash32` as a share, uniform in [0, 1). */
export function share(...values: readonly number[]): number {
  return hash32(...values) / 2 ** 32;
}

/** A 32-bit hash of text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return hash >>> 0;
}

/** Fisher and Yates' shuffle of 0 … count−1. */
export function permutation(count: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  const draw = prng(seed);
  for (let at = count - 1; at > 0; at--) {
    const other = draw.int(at + 1);
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

/** Gives `id-1`, `id-2` and so on. */
export function countedIds(name = "id"): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${name}-${count}`;
  };
}

/** Always draws the same number. Its ids carry the name and count from 1. */
export function namedRandom(name: string): Random {
  return { next: () => 0.5, id: countedIds(name) };
}

function step(hash: number, value: number): number {
  let mixed = Math.imul(value, 0xcc_9e_2d_51);
  mixed = (mixed << 15) | (mixed >>> 17);
  const joined = hash ^ Math.imul(mixed, 0x1b_87_35_93);
  return (Math.imul((joined << 13) | (joined >>> 19), 5) + 0xe6_54_6b_64) | 0;
}

import { hash } from "node:crypto";
import { contentOf, type Fill } from "../model/fill.ts";

/**
 * A hash of a set of fills that does not depend on their order: the sum, modulo 2^256, of the SHA-256 of each fill's content. Two walks
 * with other splits give the same hash exactly when they saw the same fills. Sums of disjoint sets add up, so a whole is checked by its parts.
 */
export type SetHash = bigint;

export const EMPTY_SET: SetHash = 0n;

const BITS = 256;
const cache = new WeakMap<Fill, bigint>();

function hashOf(fill: Fill): bigint {
  const known = cache.get(fill);
  if (known !== undefined) {
    return known;
  }
  const value = BigInt(`0x${hash("sha256", contentOf(fill), "hex")}`);
  cache.set(fill, value);
  return value;
}

export function addToSet(set: SetHash, fill: Fill): SetHash {
  return BigInt.asUintN(BITS, set + hashOf(fill));
}

/** Of two sets that share nothing, together. */
export function addSets(a: SetHash, b: SetHash): SetHash {
  return BigInt.asUintN(BITS, a + b);
}

export function setHashOf(fills: Iterable<Fill>): SetHash {
  let set = EMPTY_SET;
  for (const fill of fills) {
    set = addToSet(set, fill);
  }
  return set;
}

/** 64 hexadecimal digits. */
export function formatSetHash(set: SetHash): string {
  return set.toString(16).padStart(64, "0");
}

/** The inverse of `formatSetHash`. */
export function parseSetHash(text: string): SetHash {
  return BigInt(`0x${text}`);
}

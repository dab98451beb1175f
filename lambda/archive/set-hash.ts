import { hash } from "node:crypto";
import { contentOf, type Fill } from "../model/fill.ts";

/**
 * A hash of a set of fills that does not depend on their order: the sum, modulo 2^256, of the SHA-256 of each fill's content. Two walks
 * with other splits give the same hash exactly when they saw the same fills. Sums of disjoint sets add up, so a whole is checked by its parts.
 */
export type SetHash = bigint;

export const EMPTY_SET: SetHash = 0n;

const BITS = 256;
const LANE_BITS = 16;
const LANES = BITS / LANE_BITS;

/** A sum of hashes, exact up to 2^37 of them: a double for each 16 bits, since a BigInt for each would cost as much as the hash. */
export class HashSum {
  readonly #lanes = new Float64Array(LANES);

  /** The SHA-256 of a text. */
  add(text: string): void {
    const digest = hash("sha256", text, "binary");
    for (let lane = 0; lane < LANES; lane += 1) {
      const own = digest.charCodeAt(2 * lane) * 256 + digest.charCodeAt(2 * lane + 1);
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + own;
    }
  }

  get value(): SetHash {
    let sum = 0n;
    for (const lane of this.#lanes) {
      sum = (sum << BigInt(LANE_BITS)) + BigInt(lane);
    }
    return BigInt.asUintN(BITS, sum);
  }
}

/** Of two sets that share nothing, together. */
export function addSets(a: SetHash, b: SetHash): SetHash {
  return BigInt.asUintN(BITS, a + b);
}

export function setHashOf(fills: Iterable<Fill>): SetHash {
  const sum = new HashSum();
  for (const fill of fills) {
    sum.add(contentOf(fill));
  }
  return sum.value;
}

/** 64 hexadecimal digits. */
export function formatSetHash(set: SetHash): string {
  return set.toString(16).padStart(64, "0");
}

/** The inverse of `formatSetHash`. */
export function parseSetHash(text: string): SetHash {
  return BigInt(`0x${text}`);
}

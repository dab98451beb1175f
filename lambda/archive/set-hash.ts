import { hash } from "node:crypto";
import { type Fill, hashedContentOf } from "../core/fill.ts";

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

  /** The SHA-256 of a text, or of its bytes. */
  add(content: string | Uint8Array): void {
    const digest = digestOf(content);
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + laneOf(digest, lane);
    }
  }

  /** Of whole hashes, lane by lane. */
  addLanes(values: Uint16Array): void {
    for (let at = 0; at < values.length; at += 1) {
      const lane = at % LANES;
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + (values[at] ?? 0);
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

/** Hashes in their order, of which any stretch can be summed up. */
export class HashList {
  readonly #lanes: Uint16Array;
  #count = 0;

  constructor(capacity: number) {
    this.#lanes = new Uint16Array(LANES * capacity);
  }

  /** The SHA-256 of a text, or of its bytes. */
  add(content: string | Uint8Array): void {
    const digest = digestOf(content);
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[LANES * this.#count + lane] = laneOf(digest, lane);
    }
    this.#count += 1;
  }

  /** Of those from one place to before another. */
  sum(from: number, to: number): SetHash {
    const sum = new HashSum();
    sum.addLanes(this.#lanes.subarray(LANES * from, LANES * to));
    return sum.value;
  }
}

/** A character for each of its bytes: made faster than a Buffer. */
function digestOf(content: string | Uint8Array): string {
  return hash("sha256", content, "binary");
}

function laneOf(digest: string, lane: number): number {
  return digest.charCodeAt(2 * lane) * 256 + digest.charCodeAt(2 * lane + 1);
}

/** Of two sets that share nothing, together. */
export function addSets(a: SetHash, b: SetHash): SetHash {
  return BigInt.asUintN(BITS, a + b);
}

export function setHashOf(fills: Iterable<Fill>): SetHash {
  const sum = new HashSum();
  for (const fill of fills) {
    sum.add(hashedContentOf(fill));
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

import { hash } from "node:crypto";
import { type Fill, hashedContentOf } from "../core/fill.ts";

/**
 * A hash of a set of fills that does not depend on their order: the sum, modulo 2^256, of the SHA-256 of each
 * fill's content. Two walks that were split differently give the same hash exactly when they saw the same
 * fills. The hashes of disjoint sets add up, so a total can be checked from its parts.
 */
export type SetHash = bigint;

export const EMPTY_SET: SetHash = 0n;

const BITS = 256;
const LANE_BITS = 16;
const LANES = BITS / LANE_BITS;

/**
 * A sum of hashes, exact for up to 2^37 of them. It has one double per 16 bits, because one BigInt per hash
 * would cost as much as hashing.
 */
export class HashSum {
  readonly #lanes = new Float64Array(LANES);

  /** Adds the SHA-256 of a text or of bytes. */
  add(content: string | Uint8Array): void {
    const digest = digestOf(content);
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + laneOf(digest, lane);
    }
  }

  /** Adds whole hashes, lane by lane. */
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

/** A list of hashes. Any range of it can be summed. */
export class HashList {
  readonly #lanes: Uint16Array;
  #count = 0;

  constructor(capacity: number) {
    this.#lanes = new Uint16Array(LANES * capacity);
  }

  /** Appends the SHA-256 of a text or of bytes. */
  add(content: string | Uint8Array): void {
    const digest = digestOf(content);
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[LANES * this.#count + lane] = laneOf(digest, lane);
    }
    this.#count += 1;
  }

  /** The sum of the hashes at `[from, to)`. */
  sum(from: number, to: number): SetHash {
    const sum = new HashSum();
    sum.addLanes(this.#lanes.subarray(LANES * from, LANES * to));
    return sum.value;
  }
}

/** One character per byte, which is faster to make than a Buffer. */
function digestOf(content: string | Uint8Array): string {
  return hash("sha256", content, "binary");
}

function laneOf(digest: string, lane: number): number {
  return digest.charCodeAt(2 * lane) * 256 + digest.charCodeAt(2 * lane + 1);
}

/** The hash of the union of two disjoint sets. */
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

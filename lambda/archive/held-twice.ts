import { hash } from "node:crypto";
import { type Fill, identityOf } from "../core/fill.ts";

const MAX_REPEATED = 20;

export interface HeldDataFile {
  readonly key: string;
  readonly fills: readonly Fill[];
}

/** A fill that two data files hold. */
export interface Double {
  readonly fill: Fill;
  readonly keys: readonly [string, string];
}

/**
 * Finds identities that two data files hold. It compares hashes of 53 bits, some 16 bytes of memory a fill;
 * identities with equal hashes are then compared in full.
 */
export class HeldTwice {
  readonly #hashes: number[] = [];

  add(fills: readonly Fill[]): void {
    for (const fill of fills) {
      this.#hashes.push(hashOf(fill));
    }
  }

  /**
   * The doubles, after all data files were added; if there are very many, only the first. `dataFiles` reads all
   * of them again, if it must.
   */
  async doubles(dataFiles: () => AsyncIterable<HeldDataFile>): Promise<Double[]> {
    const sorted = Float64Array.from(this.#hashes).sort();
    const repeated = new Set(sorted.filter((one, at) => one === sorted[at - 1]).subarray(0, MAX_REPEATED));
    const holders = new Map<string, string>();
    const doubles: Double[] = [];
    for await (const { key, fills } of repeated.size === 0 ? [] : dataFiles()) {
      for (const fill of fills.filter((one) => repeated.has(hashOf(one)))) {
        const identity = identityOf(fill);
        const other = holders.get(identity);
        holders.set(identity, key);
        if (other !== undefined && other !== key) {
          doubles.push({ fill, keys: [other, key] });
        }
      }
    }
    return doubles;
  }
}

function hashOf(fill: Fill): number {
  const digest = hash("sha256", identityOf(fill), "buffer");
  return digest.readUInt32LE(0) * 2 ** 21 + (digest.readUInt32LE(4) >>> 11);
}

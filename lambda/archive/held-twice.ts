import { hash } from "node:crypto";
import { type Fill, identityOf } from "../core/fill.ts";

/** So many identities are compared in one pass. Each takes 8 bytes, and as many while they are sorted. */
const MAX_AT_ONCE = 4_000_000;
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
 * Finds identities that two data files hold. To bound memory, it compares identities by a 53-bit hash, one
 * share of the hashes per pass. Up to four million fills need one pass; more fills need one pass over the
 * data files per share. Identities with equal hashes are then compared in full.
 */
export class HeldTwice {
  readonly #shares: number;
  #share = 0;
  #hashes: number[] = [];
  readonly #repeated = new Set<number>();

  constructor(fills: number, maxAtOnce = MAX_AT_ONCE) {
    this.#shares = Math.max(1, Math.ceil(fills / maxAtOnce));
  }

  /** The first pass over the fills. `doubles` makes the other passes. */
  add(fills: readonly Fill[]): void {
    for (const fill of fills) {
      const value = hashOf(fill);
      if (Math.floor((value / 2 ** 53) * this.#shares) === this.#share) {
        this.#hashes.push(value);
      }
    }
  }

  /**
   * The doubles, after all data files were added; if there are very many, only the first. `dataFiles` reads all
   * of them again.
   */
  async doubles(dataFiles: () => AsyncIterable<HeldDataFile>): Promise<Double[]> {
    this.#endShare();
    for (this.#share = 1; this.#share < this.#shares; this.#share += 1) {
      for await (const { fills } of dataFiles()) {
        this.add(fills);
      }
      this.#endShare();
    }
    return this.#repeated.size === 0 ? [] : await this.#compared(dataFiles());
  }

  #endShare(): void {
    const sorted = Float64Array.from(this.#hashes).sort();
    for (let at = 1; at < sorted.length && this.#repeated.size <= MAX_REPEATED; at += 1) {
      if (sorted[at] === sorted[at - 1]) {
        this.#repeated.add(sorted[at] ?? 0);
      }
    }
    this.#hashes = [];
  }

  async #compared(dataFiles: AsyncIterable<HeldDataFile>): Promise<Double[]> {
    const holders = new Map<string, string>();
    const doubles: Double[] = [];
    for await (const { key, fills } of dataFiles) {
      for (const fill of fills.filter((one) => this.#repeated.has(hashOf(one)))) {
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

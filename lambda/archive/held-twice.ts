import { hash } from "node:crypto";
import { type Fill, identityOf } from "../core/fill.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { isoTime } from "../core/time.ts";

const MAX_REPEATED = 20;

export interface HeldDataFile {
  readonly key: string;
  readonly fills: readonly Fill[];
}

/** A fill that two data files hold, and what ends that. */
export interface Double {
  readonly fill: Fill;
  readonly keys: readonly [string, string];
  readonly hint: string;
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
    const holders = new Map<string, { readonly key: string; readonly fill: Fill }>();
    const doubles: Double[] = [];
    for await (const { key, fills } of repeated.size === 0 ? [] : dataFiles()) {
      for (const fill of fills.filter((one) => repeated.has(hashOf(one)))) {
        const other = getOrMake(holders, identityOf(fill), () => ({ key, fill }));
        if (other.key !== key) {
          doubles.push({ fill, keys: [other.key, key], hint: hintOf([other.fill, fill]) });
        }
      }
    }
    return doubles;
  }
}

function hintOf(versions: readonly Fill[]): string {
  const [from = 0, last = from] = versions.map(({ txCreated }) => txCreated).sort((a, b) => a - b);
  const range = `--from ${isoTime(from)} --to ${isoTime(last + 1)}`;
  return `fillbook sync --again ${range} keeps the one that the service shows; if it shows both, tell its support`;
}

function hashOf(fill: Fill): number {
  const digest = hash("sha256", identityOf(fill), "buffer");
  return digest.readUInt32LE(0) * 2 ** 21 + (digest.readUInt32LE(4) >>> 11);
}

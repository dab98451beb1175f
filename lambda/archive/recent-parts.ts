import { MAX_PART_ROWS } from "./cells.ts";
import type { Part } from "./manifest.ts";
import type { PartSums } from "./part-sums.ts";

/** Rows held at most: the parts that a few windows side by side are about, and what they are cut into. */
const MAX_ROWS = 5 * MAX_PART_ROWS;

/** A part as it is stored, and what was counted of it. Not its fills: thousands of objects that live on cost more than to decode what is asked for again. */
export interface KeptPart {
  readonly bytes: Uint8Array;
  /** null: not counted yet. */
  readonly sums: PartSums | null;
}

/**
 * The parts that a run wrote or read last, by the hash of their bytes: the next commit goes on in the same ones, and would otherwise ask the store for what
 * the one before has written. Bounded, so memory does not grow with the archive.
 */
export class RecentParts {
  readonly #parts = new Map<string, KeptPart & { readonly rows: number }>();
  #rows = 0;

  get({ sha256 }: Part): KeptPart | undefined {
    return this.#parts.get(sha256);
  }

  keep({ sha256, rows }: Part, { bytes, sums }: KeptPart): void {
    this.#drop(sha256);
    this.#parts.set(sha256, { bytes, sums, rows });
    this.#rows += rows;
    for (const oldest of this.#parts.keys()) {
      if (this.#rows <= MAX_ROWS) {
        break;
      }
      this.#drop(oldest);
    }
  }

  #drop(sha256: string): void {
    this.#rows -= this.#parts.get(sha256)?.rows ?? 0;
    this.#parts.delete(sha256);
  }
}

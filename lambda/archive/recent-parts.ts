import type { Fill } from "../model/fill.ts";
import { MAX_PART_ROWS } from "./cells.ts";
import type { Part } from "./manifest.ts";
import type { FillHashes } from "./set-hash.ts";

/** Rows held at most: the parts that a few windows side by side are about, and what they are cut into. */
const MAX_ROWS = 5 * MAX_PART_ROWS;

/** A part's fills, and their hashes where they were made. */
export interface PartRows {
  readonly fills: readonly Fill[];
  readonly hashes: FillHashes | null;
}

/**
 * The fills of the parts that a run wrote or read last, by the hash of their bytes: the next commit goes on in the same parts, and
 * would otherwise decode what the one before has encoded. Bounded, so memory does not grow with the archive.
 */
export class RecentParts {
  readonly #parts = new Map<string, PartRows>();
  #rows = 0;

  get({ sha256 }: Part): PartRows | undefined {
    return this.#parts.get(sha256);
  }

  keep({ sha256 }: Part, rows: PartRows): void {
    this.#drop(sha256);
    this.#parts.set(sha256, rows);
    this.#rows += rows.fills.length;
    for (const oldest of this.#parts.keys()) {
      if (this.#rows <= MAX_ROWS) {
        break;
      }
      this.#drop(oldest);
    }
  }

  #drop(sha256: string): void {
    this.#rows -= this.#parts.get(sha256)?.fills.length ?? 0;
    this.#parts.delete(sha256);
  }
}

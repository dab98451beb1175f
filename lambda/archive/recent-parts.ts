import type { Fill } from "../model/fill.ts";
import { MAX_PART_ROWS } from "./cells.ts";
import type { Part } from "./manifest.ts";

/** Rows held at most: the parts that a few windows side by side are about, and what they are cut into. */
const MAX_ROWS = 5 * MAX_PART_ROWS;

/**
 * The fills of the parts that a run wrote or read last, by the hash of their bytes: the next commit goes on in the same parts, and
 * would otherwise decode what the one before has encoded. Bounded, so memory does not grow with the archive.
 */
export class RecentParts {
  readonly #fills = new Map<string, readonly Fill[]>();
  #rows = 0;

  get({ sha256 }: Part): readonly Fill[] | undefined {
    return this.#fills.get(sha256);
  }

  keep({ sha256 }: Part, fills: readonly Fill[]): void {
    this.#drop(sha256);
    this.#fills.set(sha256, fills);
    this.#rows += fills.length;
    for (const oldest of this.#fills.keys()) {
      if (this.#rows <= MAX_ROWS) {
        break;
      }
      this.#drop(oldest);
    }
  }

  #drop(sha256: string): void {
    this.#rows -= this.#fills.get(sha256)?.length ?? 0;
    this.#fills.delete(sha256);
  }
}

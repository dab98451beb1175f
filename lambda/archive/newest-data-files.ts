import type { PackedFill } from "../core/fast/packed-fill.ts";
import { subtract } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { PartSums } from "./data-file-sums.ts";
import type { Part } from "./manifest.ts";
import { MAX_PART_ROWS } from "./partitioning.ts";

/**
 * Rows held at most: the parts that a few windows side by side are about, and what they are cut into. With five parts, a year of five million fills read some
 * back that it had just written, as unpacked fills: 30 MB.
 */
const MAX_ROWS = 8 * MAX_PART_ROWS;

/** What a part holds, and what was counted of it. */
export interface KeptPart {
  /** Its fills where all are packed, else its bytes: thousands of objects that live on cost more than to decode what is asked for again. */
  readonly held: readonly PackedFill[] | Uint8Array;
  /** null: not counted yet. */
  readonly sums: PartSums | null;
}

/**
 * The parts that a run wrote or read last, by the hash of their bytes: the next commit goes on in the same ones, and would otherwise ask the store for what
 * the one before has written. Bounded, so memory does not grow with the archive.
 */
export class RecentParts {
  readonly #parts = new Map<string, KeptPart & { readonly part: Part }>();
  #rows = 0;

  get({ sha256 }: Part): KeptPart | undefined {
    return this.#parts.get(sha256);
  }

  keep(part: Part, { held, sums }: KeptPart): void {
    this.#drop(part.sha256);
    this.#parts.set(part.sha256, { held, sums, part });
    this.#rows += part.rows;
    for (const oldest of this.#parts.keys()) {
      if (this.#rows <= MAX_ROWS) {
        break;
      }
      this.#drop(oldest);
    }
  }

  /** Those of a time that is covered by now: nobody goes on in them. */
  forget(covered: readonly TimeRange[]): void {
    for (const [sha256, { part }] of this.#parts) {
      if (subtract(part, covered).length === 0) {
        this.#drop(sha256);
      }
    }
  }

  #drop(sha256: string): void {
    this.#rows -= this.#parts.get(sha256)?.part.rows ?? 0;
    this.#parts.delete(sha256);
  }
}

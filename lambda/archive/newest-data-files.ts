import type { PackedFill } from "../core/fast/packed-fill.ts";
import { subtract } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { DataFileSums } from "./data-file-sums.ts";
import type { DataFile } from "./manifest-entries.ts";
import { MAX_DATA_FILE_ROWS } from "./partitioning.ts";

/**
 * Rows held at most: the data files that a few windows side by side are about, and what they are cut into. With five data files, a year of five million fills read some
 * back that it had just written, as unpacked fills: 30 MB.
 */
const MAX_ROWS = 8 * MAX_DATA_FILE_ROWS;

/** What a data file holds, and what was counted of it. */
export interface KeptDataFile {
  /** Its fills where all are packed, else its bytes: thousands of objects that live on cost more than to decode what is asked for again. */
  readonly held: readonly PackedFill[] | Uint8Array;
  /** null: not counted yet. */
  readonly sums: DataFileSums | null;
}

/**
 * The data files that a run wrote or read last, by the hash of their bytes: the next commit goes on in the same ones, and would otherwise ask the store for what
 * the one before has written. Bounded, so memory does not grow with the archive.
 */
export class NewestDataFiles {
  readonly #dataFiles = new Map<string, KeptDataFile & { readonly dataFile: DataFile }>();
  #rows = 0;

  get({ sha256 }: DataFile): KeptDataFile | undefined {
    return this.#dataFiles.get(sha256);
  }

  keep(dataFile: DataFile, { held, sums }: KeptDataFile): void {
    this.#drop(dataFile.sha256);
    this.#dataFiles.set(dataFile.sha256, { held, sums, dataFile });
    this.#rows += dataFile.rows;
    for (const oldest of this.#dataFiles.keys()) {
      if (this.#rows <= MAX_ROWS) {
        break;
      }
      this.#drop(oldest);
    }
  }

  /** Those of a time that is covered by now: nobody goes on in them. */
  forget(covered: readonly TimeRange[]): void {
    for (const [sha256, { dataFile }] of this.#dataFiles) {
      if (subtract(dataFile, covered).length === 0) {
        this.#drop(sha256);
      }
    }
  }

  #drop(sha256: string): void {
    this.#rows -= this.#dataFiles.get(sha256)?.dataFile.rows ?? 0;
    this.#dataFiles.delete(sha256);
  }
}

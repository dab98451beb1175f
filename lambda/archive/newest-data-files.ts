import type { PackedFill } from "../core/fast/packed-fill.ts";
import { subtract } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { DataFileSums } from "./data-file-sums.ts";
import type { DataFile } from "./manifest-entries.ts";
import { MAX_DATA_FILE_ROWS } from "./partitioning.ts";

/**
 * The most rows held: enough for the data files that a few concurrent windows write, and the ones these are
 * cut into. With five data files, a walk of a year of five million fills read some back that it had just
 * written, as unpacked fills: 30 MB.
 */
const MAX_ROWS = 8 * MAX_DATA_FILE_ROWS;

/** The content of a data file, and its sums. */
export interface KeptDataFile {
  /**
   * The fills if all of them are packed, otherwise the bytes. Keeping thousands of unpacked objects alive
   * costs more than decoding the bytes again.
   */
  readonly held: readonly PackedFill[] | Uint8Array;
  /** Null: not computed yet. */
  readonly sums: DataFileSums | null;
}

/**
 * The data files that a run wrote or read last, by their hash. The next commit usually continues in the same
 * files and would otherwise read back what the previous one wrote. The number of rows is bounded, so memory
 * does not grow with the archive.
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

  /** Drops data files whose whole partition is covered: no walk adds to them again. */
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

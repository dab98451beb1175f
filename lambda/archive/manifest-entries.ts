/** The entries that a manifest names. The index (`index/`) files each by its time. */

/** An immutable Parquet file with all fills that the archive holds of one partition. */
export interface DataFile {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  /** The partition, `[from, to)` of `txCreated`. */
  readonly from: number;
  readonly to: number;
  /** Smallest and largest `txCreated` in it. */
  readonly first: number;
  readonly last: number;
  /** Smallest and largest trade time (`filledAt`, or `txCreated` where that is missing) in it. */
  readonly firstTrade: number;
  readonly lastTrade: number;
  /** Rows that exceptions.csv would list (see fills/exceptions.ts). */
  readonly exceptions: number;
  /** Commutative hash of the rows' contents (see set-hash.ts). */
  readonly setHash: string;
}

/** One finished walk. */
export interface WindowRecord {
  /** The covered range, `[from, to)` of `txCreated`. */
  readonly from: number;
  readonly to: number;
  readonly pages: number;
  /** Distinct fills in `[from, to)`. */
  readonly rows: number;
  /** Rows that the chain returned more than once. */
  readonly duplicates: number;
  /** Smallest and largest `txCreated`; null when empty. */
  readonly first: number | null;
  readonly last: number | null;
  /**
   * How the walk ended: with an answer that has no `last`, or with rows beyond the window in proven order. A
   * window that ended in any other way is not covered and has no record.
   */
  readonly ended: Ended;
  /** Commutative hash of the fills that the archive holds in `[from, to)`. */
  readonly setHash: string;
  /**
   * Hash chain over the window's objects with raw responses, in order, including those that were not kept:
   * h(0) = 64 zeros, h(n) = sha256(h(n-1) + sha256(object n)), as hexadecimal text.
   */
  readonly pagesHash: string;
  /**
   * Keys of the objects with the raw responses, in page order. Empty if no page held a fill that was new to
   * the archive.
   */
  readonly rawResponses: readonly string[];
}

export type Ended = "no-last" | "order";

/**
 * Old and new versions of fills that came late or changed in covered windows, in the order in which they were
 * filed. JSON Lines, zstd.
 */
export interface RestatementFile {
  readonly key: string;
  readonly sha256: string;
  /** Counts up in the order of filing. */
  readonly seq: number;
  readonly rows: number;
  /** Smallest and largest trade time among both versions of its rows. */
  readonly firstTrade: number;
  readonly lastTrade: number;
}

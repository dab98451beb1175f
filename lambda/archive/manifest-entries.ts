/** What a manifest names, each where its time is: see `index/`. */

/** An immutable Parquet file that holds all fills of one partition whose `txCreated` the archive has. */
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
  /** Smallest and largest trade time (`filledAt`, or else `txCreated`) in it. */
  readonly firstTrade: number;
  readonly lastTrade: number;
  /** Rows that exceptions.csv would list: see fills/exceptions.ts. */
  readonly exceptions: number;
  /** Commutative hash of the rows' contents: see set-hash.ts. */
  readonly setHash: string;
}

/** One finished walk. */
export interface WindowRecord {
  /** What it covers, `[from, to)` of `txCreated`. */
  readonly from: number;
  readonly to: number;
  readonly pages: number;
  /** Distinct fills in `[from, to)`. */
  readonly rows: number;
  /** Rows that the chain answered more than once. */
  readonly duplicates: number;
  /** Smallest and largest `txCreated`; null when empty. */
  readonly first: number | null;
  readonly last: number | null;
  /**
   * How it ended: with an answer that has no `last`; or, by the proven order of its rows, where they went beyond the window. A window that ended in
   * another way is not covered, and has no record.
   */
  readonly ended: Ended;
  /** Commutative hash of the fills that the archive holds in `[from, to)`. */
  readonly setHash: string;
  /**
   * Hash chain over its evidence objects in their order, also those that were not kept: h(0) = 64 zeros, h(n) = sha256(h(n-1) + sha256(object n)), in
   * hexadecimal text.
   */
  readonly pagesHash: string;
  /** Evidence objects, in the order of the pages; none where no page held a fill that the archive did not have already. */
  readonly evidence: readonly string[];
}

export type Ended = "no-last" | "order";

/** Old and new versions of fills that came late or changed in covered windows, in the order of their filing: JSON Lines, zstd. */
export interface RestatementFile {
  readonly key: string;
  readonly sha256: string;
  /** Counts up in the order of their filing. */
  readonly seq: number;
  readonly rows: number;
  /** Smallest and largest trade time among both versions of its rows. */
  readonly firstTrade: number;
  readonly lastTrade: number;
}

import type { Lateness } from "../job.ts";
import type { TimeRange } from "../model/time.ts";

/**
 * The manifest: an immutable JSON object that names the parts, the coverage and the checkpoint, so that data and checkpoint are one commit and
 * cannot diverge. The published format: an independent reader needs head.json, this, and the parts.
 */
export const MANIFEST_FORMAT = "fillbook-manifest/1";

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly account: string;
  readonly seq: number;
  /** The head's, of the run that wrote it: so that no two runs write the same manifest, of which one may be deleted. */
  readonly epoch: number;
  /** Sum of the parts' rows. */
  readonly fills: number;
  /** In time order; their cells do not overlap. */
  readonly parts: readonly Part[];
  /** Sorted, disjoint, not touching. */
  readonly coverage: readonly TimeRange[];
  /** The walks that the coverage rests on, in time order. */
  readonly windows: readonly WindowRecord[];
  readonly restatements: readonly RestatementFile[];
  /** Largest distance, ms, between the two times of a fill. */
  readonly maxSkewMs: number;
  /** Of all runs; null: no fill came late. */
  readonly lateness: Lateness | null;
  readonly checkpoint: Checkpoint;
}

/** An immutable Parquet file that holds all fills of one calendar cell whose `txCreated` the archive has. */
export interface Part {
  readonly key: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  /** The calendar cell, `[from, to)` of `txCreated`. */
  readonly from: number;
  readonly to: number;
  /** Smallest and largest trade time (`filledAt`, or else `txCreated`) in it. */
  readonly firstTrade: number;
  readonly lastTrade: number;
  /** Rows that cannot be typed. */
  readonly exceptions: number;
  /** Commutative hash of the rows' contents: see set-hash.ts. */
  readonly setHash: string;
  /** Evidence objects that its rows came from. */
  readonly pages: readonly string[];
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
  /** How it ended. A window that ended in another way is not covered, and has no record. */
  readonly ended: "no-last";
  /** Commutative hash of the fills that the archive holds in `[from, to)`. */
  readonly setHash: string;
  /** Hash chain over the bodies of its pages, in their order: h(0) = 64 zeros, h(n) = sha256(h(n-1) + sha256(body n)), in hexadecimal text. */
  readonly pagesHash: string;
  /** Evidence objects, in the order of the pages. */
  readonly evidence: readonly string[];
}

/** Old and new versions of fills that came late or changed in covered windows, in the order of their filing: JSON Lines, zstd. */
export interface RestatementFile {
  readonly key: string;
  readonly sha256: string;
  readonly rows: number;
  /** Smallest and largest trade time among both versions of its rows. */
  readonly firstTrade: number;
  readonly lastTrade: number;
}

/** Where the next run goes on. */
export interface Checkpoint {
  /** Windows planned or begun, not ended. */
  readonly open: readonly OpenWindow[];
  /** Widest span, ms, that one answer of the service was seen to hold: a window no wider cannot hide a clamp. */
  readonly provenMs: number;
  /** A fill whose window above the next gap answered nothing older: growing past it was tried in vain. `txCreated`, ms; null: none. */
  readonly barrenAbove: number | null;
  /** The date filter was seen to go by `txCreated`, on a fill that another time would have left out. */
  readonly datesProven: boolean;
  /** False once the service's date filter was found to go by another time than `txCreated`: then only a walk without dates is complete. */
  readonly datesTrusted: boolean;
}

export interface OpenWindow {
  readonly from: number;
  readonly to: number;
  /** Asks with dates, or without (the fallback). */
  readonly dated: boolean;
  /** Upper date to ask with: `to`, or a known fill above it that the answer must hold. ms, inclusive. */
  readonly askTo: number;
  /** The next page's cursor; null before the first page. */
  readonly cursor: string | null;
  /** Wall time at which the service issued the cursor, ms. */
  readonly cursorAt: number | null;
  readonly pages: number;
  readonly duplicates: number;
  readonly pagesHash: string;
  /** Smallest and largest `txCreated` among the rows that were asked for; null before the first. */
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly evidence: readonly string[];
}

export function emptyManifest(account: string): Manifest {
  return {
    format: MANIFEST_FORMAT,
    account,
    seq: 0,
    epoch: 0,
    fills: 0,
    parts: [],
    coverage: [],
    windows: [],
    restatements: [],
    maxSkewMs: 0,
    lateness: null,
    checkpoint: { open: [], provenMs: 0, barrenAbove: null, datesProven: false, datesTrusted: true },
  };
}

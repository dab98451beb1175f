import type { TimeRange } from "../core/time.ts";
import type { Lateness } from "../job/context.ts";
import type { Node } from "./index/node.ts";

/**
 * The manifest: an immutable JSON object that names the data files, the coverage and the checkpoint, so that data and checkpoint are one commit and
 * cannot diverge. The published format: an independent reader needs head.json, this, the nodes of its index, and the data files.
 */
export const MANIFEST_FORMAT = "fillbook-manifest/2";

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly account: string;
  readonly seq: number;
  /** The head's, of the run that wrote it: so that no two runs write the same manifest, of which one may be deleted. */
  readonly epoch: number;
  /** Sum of the data files' rows. */
  readonly fills: number;
  /** Sorted, disjoint, not touching. */
  readonly coverage: readonly TimeRange[];
  /** Largest distance, ms, between the two times of a fill. */
  readonly maxSkewMs: number;
  /** Of all runs; null: no fill came late. */
  readonly lateness: Lateness | null;
  readonly checkpoint: Checkpoint;
  /** The root of the manifest index (index/): the data files, whose partitions do not overlap; the walks that the coverage rests on; and what was restated. */
  readonly calendar: Node;
}

/** Where the next run goes on. */
export interface Checkpoint {
  /** Windows planned or begun, not ended. */
  readonly open: readonly OpenWindow[];
  readonly proven: Proven;
  readonly order: Order;
  /** Windows that the last run could not read to their end, and that are not covered since: where the pages are that it read of them. */
  readonly failed: readonly FailedWindow[];
  /** Covered times that are being walked again, for late and changed fills: what is left of it. */
  readonly again: readonly TimeRange[];
  /** When that was last begun for all of the newest days, wall time, ms; null: never. */
  readonly lookedBackAt: number | null;
  /**
   * Times that were younger than the look-back when the service was last asked for them; absent: it was not
   * asked yet.
   */
  readonly unsettled?: readonly Unsettled[];
  /** Down to where, by `txCreated`, the older times were walked again; null: from the look-back on. */
  readonly rotatedTo: number | null;
  /** When a piece of the older times was last begun, and the time before the account's beginning asked for, wall time, ms; null: never. */
  readonly rotatedAt: number | null;
  /** `txCreated` of the earliest fill that was seen before the account's beginning and not covered then, ms; absent: none. */
  readonly beforeBeginning?: number;
  /** Fills up to this `txCreated`, ms, were not brought any more, and the user has said that this is right (`--rebind`); absent: none. */
  readonly forgottenTo?: number;
  /** The date filter was seen to go by `txCreated`, on a fill that another time would have left out. */
  readonly datesProven: boolean;
  /** Pages that came by a cursor were seen to keep to the dates of their chain. */
  readonly cursorsProven: boolean;
  /** False once the service's date filter was found to go by another time than `txCreated`: then only a walk without dates is complete. */
  readonly datesTrusted: boolean;
  /** Most rows that one query was seen to deliver: no cap by rows is lower. Absent: none was asked yet. */
  readonly mostRows?: number;
  /** The same with the repeated ones: a cap may count these, too. */
  readonly mostSent?: number;
  /** Least rows of a page that another may follow: those of each that one followed, or 1 once these differed. An answer of fewer is not cut. Absent: none has come. */
  readonly shortestPage?: number;
  /** What is known of the ranges of time that the service refuses. Absent: it has refused none. */
  readonly limits?: RangeLimits;
  /** Covered times in which nothing was found by windows wider than any that the service is known to answer whole. Absent: none. */
  readonly assumed?: readonly AssumedRange[];
  /** Narrower windows have shown fills where wide ones showed none: nothing is assumed any more. Absent: not seen. */
  readonly clampSeen?: boolean;
  /** An answer that was empty, or had no `last`, was seen to go on when it was asked for again: each such is asked for more often. Absent: not seen. */
  readonly falseEnds?: boolean;
  /** Whether cursors bring the rest of a millisecond in which a page ends; absent: not known. */
  readonly ties?: "kept" | "dropped";
}

/** A range of time without fills: a service that silently cuts its answers to less than `widthMs` could hide some there. */
export interface AssumedRange extends TimeRange {
  readonly widthMs: number;
}

export interface RangeLimits {
  /** Narrowest range that was refused, and wider than any that was answered by then, ms; null: none. */
  readonly refusedMs: number | null;
  /** Widest range that was answered, ms. */
  readonly acceptedMs: number;
}

/** Where fills may still have appeared, or changed, after the service was asked. */
export interface Unsettled extends TimeRange {
  /** When the walk that asked began, wall time, ms. What of it is in `again` is yet to be asked. */
  readonly askedAt: number;
  /** Whether that was not the first time. */
  readonly again: boolean;
}

export interface FailedWindow extends TimeRange {
  readonly evidence: readonly string[];
}

/**
 * Widths, ms, that the service was seen to answer whole, under each of the two ways to cut a range in silence: keeping its end, or keeping its
 * beginning. A window no wider than both cannot hide a cut.
 */
export interface Proven {
  readonly keepingEnd: number;
  readonly keepingBeginning: number;
}

export type Direction = "descending" | "ascending";

/** What is known of the order in which the service sends the rows of a chain. */
export interface Order {
  /** Of `txCreated`, as seen so far; null: nothing seen. */
  readonly direction: Direction | null;
  /** ln of how unlikely it is that pages in no order came like this. */
  readonly evidence: number;
  /** A row came out of order: windows are never again split on its strength. */
  readonly refuted: boolean;
  /** An answer was read to its end, and the order held there too. Absent: none was. */
  readonly endSeen?: boolean;
}

export interface OpenWindow {
  readonly from: number;
  readonly to: number;
  /** Asks with dates, or without (the fallback). */
  readonly dated: boolean;
  /**
   * The dates to ask with, ms, before the margins: those of the window, or wider: up to a known fill above it that the answer must hold; or as
   * they were before a part of the window was given to another chain.
   */
  readonly askFrom: number;
  readonly askTo: number;
  /** The end that was given away: the window is done where its rows go beyond it, if the order is proven by then. */
  readonly cut: "from" | "to" | null;
  /** The next page's cursor; null before the first page. */
  readonly cursor: string | null;
  /** Wall time at which the service issued the cursor, ms. */
  readonly cursorAt: number | null;
  readonly pages: number;
  readonly duplicates: number;
  /** Distinct rows so far, and how their times followed each other; absent: none, or all of one time. */
  readonly rows?: number;
  readonly came?: Direction | "mixed";
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
    coverage: [],
    maxSkewMs: 0,
    lateness: null,
    checkpoint: {
      open: [],
      failed: [],
      proven: { keepingEnd: 0, keepingBeginning: 0 },
      order: { direction: null, evidence: 0, refuted: false },
      again: [],
      lookedBackAt: null,
      rotatedTo: null,
      rotatedAt: null,
      datesProven: false,
      cursorsProven: false,
      datesTrusted: true,
    },
    calendar: { kind: "leaf", parts: [], windows: [], restatements: [] },
  };
}

import type { TimeRange } from "../core/time.ts";
import type { Lateness } from "../job/context.ts";
import type { Node } from "./index/node.ts";

/**
 * The manifest is an immutable JSON object that names the data files, the coverage and the checkpoint. Data
 * and checkpoint are one commit and cannot diverge. The format is published: an independent reader needs
 * head.json, the manifest, the nodes of its index, and the data files.
 */
export const MANIFEST_FORMAT = "fillbook-manifest/3";

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly account: string;
  readonly seq: number;
  /**
   * The epoch of the run that wrote it, from the head. It makes every run's manifest unique, so that a
   * collection that deletes an old run's manifest cannot delete a newer run's.
   */
  readonly epoch: number;
  /** The total rows of the data files. */
  readonly fills: number;
  /** Sorted, disjoint, not touching. */
  readonly coverage: readonly TimeRange[];
  /** The largest distance between the two times of a fill, ms. */
  readonly maxSkewMs: number;
  /** Over all runs. Null: no fill came late. */
  readonly lateness: Lateness | null;
  readonly checkpoint: Checkpoint;
  /**
   * The root of the manifest index (index/). It holds the data files, whose partitions do not overlap; the
   * window records that the coverage rests on; and the restatements.
   */
  readonly index: Node;
}

/** Where the next run continues. */
export interface Checkpoint {
  /** Windows that are planned or begun, and not finished. */
  readonly open: readonly OpenWindow[];
  readonly proven: Proven;
  readonly order: Order;
  /**
   * Windows that the last run could not read to their end and that are still not covered. Each names the
   * pages that were read.
   */
  readonly failed: readonly FailedWindow[];
  /** Covered times that a recheck for late and changed fills has still to walk. */
  readonly rechecks: readonly TimeRange[];
  /** When a recheck of all the newest days last began: wall time, ms. Null: never. */
  readonly lookedBackAt: number | null;
  /**
   * Times that were younger than the look-back when the service was last asked for them. Absent: it was never
   * asked.
   */
  readonly unsettled?: readonly Unsettled[];
  /**
   * The `txCreated` down to which the older times were rechecked. Null: the next recheck starts at the
   * look-back.
   */
  readonly rotatedTo: number | null;
  /**
   * When the recheck of a piece of the older times last began and the time before the account's beginning was
   * asked for: wall time, ms. Null: never.
   */
  readonly rotatedAt: number | null;
  /**
   * `txCreated` of the earliest fill that was seen before the account's beginning and was not covered then,
   * ms. Absent: none.
   */
  readonly beforeBeginning?: number;
  /**
   * The service no longer returns fills up to this `txCreated`, ms, and the user has confirmed that this is
   * right (`--rebind`). Absent: none.
   */
  readonly forgottenTo?: number;
  /**
   * True once a fill has shown that the date filter goes by `txCreated`: a filter by another time would have
   * left that fill out.
   */
  readonly datesProven: boolean;
  /** True once pages that came by a cursor were seen to stay within the dates of their chain. */
  readonly cursorsProven: boolean;
  /**
   * False once the date filter was found to go by a time other than `txCreated`. Then only a walk without
   * dates is complete.
   */
  readonly datesTrusted: boolean;
  /**
   * The most rows that one query has returned: a cap by rows cannot be lower. Absent: nothing was asked yet.
   */
  readonly mostRows?: number;
  /** As `mostRows`, with repeated rows included: a cap may count those, too. */
  readonly mostSent?: number;
  /**
   * The fewest rows of a page that another page may follow: the row count of all pages that had a successor,
   * or 1 once these counts differed. An answer with fewer rows is not cut. Absent: no such page has come.
   */
  readonly shortestPage?: number;
  /** What is known of the widest range that the service accepts. Absent: it has refused none. */
  readonly limits?: RangeLimits;
  /**
   * Covered times in which nothing was found, by windows wider than any that the service is proven to answer
   * whole. Absent: none.
   */
  readonly assumed?: readonly AssumedRange[];
  /**
   * True once narrow windows have shown fills where wide ones showed none. Nothing is assumed after that.
   * Absent: not seen.
   */
  readonly clampSeen?: boolean;
  /**
   * True once an answer that was empty or had no `last` was found to continue when asked again. Every such
   * answer is then asked for several times. Absent: not seen.
   */
  readonly falseEnds?: boolean;
  /** Whether a cursor returns the rest of the millisecond in which a page ends. Absent: not known. */
  readonly ties?: "kept" | "dropped";
}

/**
 * A range in which no fills were found. A service that silently cuts its answers to less than `widthMs` could
 * hide some there.
 */
export interface AssumedRange extends TimeRange {
  readonly widthMs: number;
}

export interface RangeLimits {
  /** The narrowest range that was refused while it was wider than every accepted one, ms. Null: none. */
  readonly refusedMs: number | null;
  /** The widest range that was accepted, ms. */
  readonly acceptedMs: number;
}

/** A range where fills may have appeared or changed after the service was asked. */
export interface Unsettled extends TimeRange {
  /**
   * When the walk that last asked for it began: wall time, ms. The part that is in `rechecks` has still to be
   * asked for.
   */
  readonly askedAt: number;
  /** True if that walk was a recheck and not the first walk. */
  readonly rechecked: boolean;
}

export interface FailedWindow extends TimeRange {
  readonly rawResponses: readonly string[];
}

/**
 * Widths, ms, that the service was seen to answer whole. There is one for each way of silently cutting a
 * range: keeping its end, or keeping its beginning. A window no wider than both cannot hide a cut.
 */
export interface Proven {
  readonly keepingEnd: number;
  readonly keepingBeginning: number;
}

export type Direction = "descending" | "ascending";

/** What is known of the order of rows in a chain. */
export interface Order {
  /** The direction of `txCreated` seen so far. Null: nothing seen. */
  readonly direction: Direction | null;
  /** Natural logarithm of how unlikely it is that unordered pages would have come like this. */
  readonly evidence: number;
  /** A row came out of order. Windows are never split by order again. */
  readonly refuted: boolean;
  /** True once an answer was read to its end and the order held to the end. Absent: no such answer yet. */
  readonly endSeen?: boolean;
}

export interface OpenWindow {
  readonly from: number;
  readonly to: number;
  /** False: the chain asks without dates (the fallback). */
  readonly dated: boolean;
  /**
   * The dates to ask with, ms, before the margins are added. They are the window's own, or wider: they reach
   * up to a known fill above the window that the answer must contain, or they are the window's dates from
   * before a part of it was given to another chain.
   */
  readonly askFrom: number;
  readonly askTo: number;
  /**
   * The end that was given to another chain. If the order is proven by then, the window is finished when its
   * rows pass this end.
   */
  readonly cut: "from" | "to" | null;
  /** The cursor of the next page. Null: the first page is next. */
  readonly cursor: string | null;
  /** When the service issued the cursor: wall time, ms. */
  readonly cursorAt: number | null;
  readonly pages: number;
  readonly duplicates: number;
  /** Distinct rows so far, and the order of their times. Absent: no rows, or all at one time. */
  readonly rows?: number;
  readonly came?: Direction | "mixed";
  readonly pagesHash: string;
  /** Smallest and largest `txCreated` among the rows within the asked dates. Null before the first row. */
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly rawResponses: readonly string[];
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
      rechecks: [],
      lookedBackAt: null,
      rotatedTo: null,
      rotatedAt: null,
      datesProven: false,
      cursorsProven: false,
      datesTrusted: true,
    },
    index: { kind: "leaf", dataFiles: [], windows: [], restatements: [] },
  };
}

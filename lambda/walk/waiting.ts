import type { FinishedWindow, RawResponses } from "../archive/commit-builder.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import type { Fill } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";

export interface Credit {
  readonly covered: TimeRange;
  readonly ended: Ended;
}

/** What waits for the next commit. */
export interface Waiting {
  readonly incomingFills: Fill[];
  readonly rawResponses: RawResponses[];
  readonly credited: readonly Credited[];
}

/**
 * The part of a window that counts when it is committed, by what is known then. A commit may fail and be
 * repeated after more was learned.
 */
export interface Credited {
  readonly finished: FinishedWindow;
  /** True when the window was asked for with dates. */
  readonly dated: boolean;
}

export function nothingWaits(): Waiting {
  return { incomingFills: [], rawResponses: [], credited: [] };
}

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
  readonly evidence: RawResponses[];
  readonly credited: readonly Credited[];
}

/** What of a window counts when it is committed, by what is known then: a commit may fail, and be made again after more was learned. */
export interface Credited {
  readonly finished: FinishedWindow;
  /** Whether it was asked with dates. */
  readonly dated: boolean;
}

export function nothingWaits(): Waiting {
  return { incomingFills: [], evidence: [], credited: [] };
}

import type { Checkpoint } from "../archive/manifest.ts";
import type { FillbookError } from "../core/errors.ts";
import type { TimeRange } from "../core/time.ts";

/** Covered ranges that are to be walked again, and what the archive records about it. */
export type Recheck = Pick<Checkpoint, "again" | "lookedBackAt" | "rotatedTo" | "rotatedAt" | "unsettled">;

export interface WalkRequest {
  readonly range: TimeRange;
  /** Null: nothing covered is walked again in this run. */
  readonly again: Recheck | null;
}

export interface WalkOutcome {
  readonly pages: number;
  /** Why parts of the range are not covered. A problem of one window does not stop the run. */
  readonly problems: readonly FillbookError[];
}

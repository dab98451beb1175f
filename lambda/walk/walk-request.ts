import type { Checkpoint } from "../archive/manifest.ts";
import type { FillbookError } from "../core/errors.ts";
import type { TimeRange } from "../core/time.ts";

/** Covered ranges that are to be rechecked, and what the archive records about it. */
export type Recheck = Pick<Checkpoint, "rechecks" | "lookedBackAt" | "rotatedTo" | "rotatedAt" | "unsettled">;

export interface WalkRequest {
  readonly range: TimeRange;
  /** Null: nothing covered is rechecked in this run. */
  readonly recheck: Recheck | null;
}

export interface WalkOutcome {
  readonly pages: number;
  /** Why parts of the range are not covered. A problem of one window does not stop the run. */
  readonly problems: readonly FillbookError[];
}

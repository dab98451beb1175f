import type { Checkpoint } from "../archive/manifest.ts";
import type { FillbookError } from "../core/errors.ts";
import type { TimeRange } from "../core/time.ts";

/** What is to be walked again although it is covered, and what the archive notes of it. */
export type Recheck = Pick<Checkpoint, "again" | "lookedBackAt" | "rotatedTo" | "rotatedAt" | "unsettled">;

export interface WalkRequest {
  readonly range: TimeRange;
  /** What is walked again although it is covered; null: nothing in this run. */
  readonly again: Recheck | null;
}

export interface WalkOutcome {
  readonly pages: number;
  /** Why some of the range is not covered; the run goes on past the ones that concern one window. */
  readonly problems: readonly FillbookError[];
}

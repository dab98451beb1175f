import { intersection, subtract, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { OnCopied } from "../pack/build/copy.ts";
import type { Progress, RunContext } from "./context.ts";

/** Combines the progress of several walks that together read one range. */
export interface WholeProgress {
  /**
   * The reporter for a walk of `range`. `coverage`: the archive's coverage before the walk. `note`: the
   * purpose of the walk, for the user.
   */
  readonly ofWalk: (range: TimeRange, coverage: readonly TimeRange[], note?: string) => (progress: Progress) => void;
  /**
   * Reports that the walks are over and files are being made. `complete`: everything was read. `file`: the
   * file that is being made.
   */
  readonly packing: (complete: boolean, packed?: Progress["packed"], file?: string) => void;
}

/** The counts of a run that has read nothing from the service. */
export const NOTHING_READ = {
  windowsDone: 0,
  windowsOpen: 0,
  pages: 0,
  requests: 0,
  refused: 0,
  fillsSeen: 0,
  covered: null,
} as const;

/** Another walk may turn out to be necessary, so the share stays below 1 until the last walk is over. */
const MOST_WALKING = 0.999;

/**
 * `whole`: the range that all walks read together, `[from, to)`. Neither the share nor the counts ever fall.
 */
export function progressOver(whole: TimeRange, report: (progress: Progress) => void): WholeProgress {
  let last: Progress = { stage: "packing", ...NOTHING_READ };
  let farthest = 0;

  function tell(progress: Progress): void {
    last = progress;
    farthest = Math.max(farthest, progress.covered ?? 0);
    report(progress);
  }

  return {
    ofWalk(range, coverage, note) {
      const before = last;
      const own = width(intersection(whole, [range]));
      const elsewhere = subtract(whole, [range]).flatMap((rest) => intersection(rest, coverage));
      return (progress) => {
        const { covered } = progress;
        const share = (width(elsewhere) + (covered ?? 0) * own) / Math.max(1, whole.to - whole.from);
        tell({
          ...progress,
          ...(note === undefined || progress.stage === "waiting" ? {} : { note }),
          windowsDone: before.windowsDone + progress.windowsDone,
          pages: before.pages + progress.pages,
          fillsSeen: before.fillsSeen + progress.fillsSeen,
          covered: covered === null ? null : Math.max(farthest, Math.min(share, MOST_WALKING)),
        });
      };
    },
    packing(complete, packed, file) {
      const { note: _, reached: __, packed: ___, ...rest } = last;
      tell({
        ...rest,
        stage: "packing",
        windowsOpen: 0,
        covered: complete ? 1 : last.covered,
        ...(packed === undefined ? {} : { packed }),
        ...(file === undefined ? {} : { note: file }),
      });
    },
  };
}

/** Reports the copy of a pack into a plain folder. */
export function copyProgress({ report }: Pick<RunContext, "report">): OnCopied {
  return (path, copied) => report({ ...NOTHING_READ, stage: "packing", note: path, copied });
}

import type { OnCopied } from "../pack/make/copy.ts";
import type { Progress, RunContext } from "./context.ts";

/** The progress of an export's walks and of its packing. Neither the share nor the counts ever fall. */
export interface WholeProgress {
  /** The reporter of the next walk. */
  readonly ofWalk: () => (progress: Progress) => void;
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

export function progressOver(report: (progress: Progress) => void): WholeProgress {
  let last: Progress = { stage: "packing", ...NOTHING_READ };

  function tell(progress: Progress): void {
    last = progress;
    report(progress);
  }

  return {
    ofWalk() {
      const before = last;
      return (progress) =>
        tell({
          ...progress,
          windowsDone: before.windowsDone + progress.windowsDone,
          pages: before.pages + progress.pages,
          fillsSeen: before.fillsSeen + progress.fillsSeen,
          covered: Math.max(last.covered ?? 0, Math.min(progress.covered ?? 0, MOST_WALKING)),
        });
    },
    packing(complete, packed, file) {
      const { note: _, packed: __, ...rest } = last;
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

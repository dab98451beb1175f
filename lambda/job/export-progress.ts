import type { OnCopied } from "../pack/make/copy.ts";
import type { Progress, RunContext } from "./context.ts";

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

/** The progress of an export's walks and of its packing. Neither the share nor the counts ever fall. */
export function progressOver(report: (progress: Progress) => void) {
  let last: Progress = { stage: "packing", ...NOTHING_READ };

  function tell(progress: Progress): void {
    last = progress;
    report(progress);
  }

  return {
    /** The reporter of the next walk. */
    ofWalk() {
      const before = last;
      return (progress: Progress) =>
        tell({
          ...progress,
          windowsDone: before.windowsDone + progress.windowsDone,
          pages: before.pages + progress.pages,
          fillsSeen: before.fillsSeen + progress.fillsSeen,
          covered: Math.max(last.covered ?? 0, Math.min(progress.covered ?? 0, MOST_WALKING)),
        });
    },
    /** The walks are over. `complete`: everything was read. `file`: the one that is being made. */
    packing(complete: boolean, packed = { fills: 0, of: 0 }, file?: string) {
      const { note: _, ...rest } = last;
      const covered = complete ? 1 : last.covered;
      tell({
        ...rest,
        stage: "packing",
        windowsOpen: 0,
        covered,
        packed,
        ...(file === undefined ? {} : { note: file }),
      });
    },
  };
}

export type WholeProgress = ReturnType<typeof progressOver>;

/** Reports the copy of a pack into a plain folder. */
export function copyProgress({ report }: Pick<RunContext, "report">): OnCopied {
  return (path, copied) => report({ ...NOTHING_READ, stage: "packing", note: path, copied });
}

import { intersection, subtract, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Progress } from "./context.ts";

/** Progress of walks that together read one range of time, as that of one run. */
export interface WholeProgress {
  /** For a walk of `range`; `coverage` is what the archive has before it. */
  readonly ofWalk: (range: TimeRange, coverage: readonly TimeRange[]) => (progress: Progress) => void;
  /** The walks are over, and the files are made; `complete`: all is read. */
  readonly packing: (complete: boolean) => void;
}

const NOTHING: Progress = {
  stage: "packing",
  windowsDone: 0,
  windowsOpen: 0,
  pages: 0,
  requests: 0,
  refused: 0,
  fillsSeen: 0,
  covered: 0,
};

/** While a walk goes on, another may be found necessary: until the last is over, the share is less than 1. */
const MOST_WALKING = 0.999;

/** `whole` is what all walks read together, `[from, to)`. What is reported never falls: neither the share nor the counts. */
export function progressOver(whole: TimeRange, report: (progress: Progress) => void): WholeProgress {
  let last = NOTHING;

  function tell(progress: Progress): void {
    last = progress;
    report(progress);
  }

  return {
    ofWalk(range, coverage) {
      const before = last;
      const own = width(intersection(whole, [range]));
      const elsewhere = subtract(whole, [range]).flatMap((rest) => intersection(rest, coverage));
      return (progress) => {
        const share = (width(elsewhere) + progress.covered * own) / Math.max(1, whole.to - whole.from);
        tell({
          ...progress,
          windowsDone: before.windowsDone + progress.windowsDone,
          pages: before.pages + progress.pages,
          fillsSeen: before.fillsSeen + progress.fillsSeen,
          // A walk that waits for the archive has no share of its own yet, and one that loses its trust in what it read takes that back.
          covered: Math.max(last.covered, progress.stage === "waiting" ? 0 : Math.min(share, MOST_WALKING)),
        });
      };
    },
    packing(complete) {
      const { note: _, ...rest } = last;
      tell({ ...rest, stage: "packing", windowsOpen: 0, covered: complete ? 1 : last.covered });
    },
  };
}

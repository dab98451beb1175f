import { intersection, subtract, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Progress } from "./context.ts";

/** Progress of walks that together read one range of time, as that of one run. */
export interface WholeProgress {
  /**
   * For a walk of `range`; `coverage` is what the archive has before it. `note`: what the walk is for, for
   * people.
   */
  readonly ofWalk: (range: TimeRange, coverage: readonly TimeRange[], note?: string) => (progress: Progress) => void;
  /** The walks are over, and the files are made; `complete`: all is read. `file`: the one that is made. */
  readonly packing: (complete: boolean, packed?: Progress["packed"], file?: string) => void;
}

const NOTHING: Progress = {
  stage: "packing",
  windowsDone: 0,
  windowsOpen: 0,
  pages: 0,
  requests: 0,
  refused: 0,
  fillsSeen: 0,
  covered: null,
};

/** While a walk goes on, another may be found necessary: until the last is over, the share is less than 1. */
const MOST_WALKING = 0.999;

/** `whole` is what all walks read together, `[from, to)`. What is reported never falls: neither the share nor the counts. */
export function progressOver(whole: TimeRange, report: (progress: Progress) => void): WholeProgress {
  let last = NOTHING;
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

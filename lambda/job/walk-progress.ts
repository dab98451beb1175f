import { covers, intersection, subtract, union, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { coveredTwice } from "../walk/plan.ts";
import type { WalkState } from "../walk/walk-state.ts";

/** Shows how far the walk has come: the share of the range's two readings. */
export function reportTo(state: WalkState, range: TimeRange): void {
  const { job, session } = state;
  let share = 0;
  state.onReport = (shown) => {
    const once = width(intersection(range, union(session.coverage)));
    const twice = width(intersection(range, coveredTwice(session.coverage)));
    share = Math.max(share, Math.min(1, (once + twice) / (2 * width([range]) || 1)));
    const { requests, refused } = job.reader.counts;
    job.report({
      stage: "walking",
      windowsDone: state.windowsDone,
      windowsOpen: subtract(range, union(session.coverage)).length,
      pages: state.pages,
      requests,
      refused,
      fillsSeen: state.fillsSeen,
      covered: covers(coveredTwice(session.coverage), range) ? 1 : Math.min(share, 0.99),
      ...shown,
    });
  };
}

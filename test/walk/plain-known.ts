import type { WindowRecord } from "../../lambda/archive/manifest.ts";
import { holds } from "../../lambda/model/ranges.ts";
import type { TimeRange } from "../../lambda/model/time.ts";
import type { Known } from "../../lambda/walk/plan.ts";

interface Walked {
  readonly coverage: readonly TimeRange[];
  readonly windows: readonly WindowRecord[];
}

/** What is known about the upper end of the uppermost gap, by looking at every window. */
export function plainKnown({ coverage, windows }: Walked, gaps: readonly TimeRange[]): Known {
  const time = gaps.at(-1)?.to;
  if (time === undefined) {
    return { near: [], anchor: null };
  }
  const near = windows
    .toSorted((a, b) => distance(a, time) - distance(b, time) || a.from - b.from || a.to - b.to)
    .slice(0, 8);
  const above = coverage.find((one) => holds([one], time) && one.from === time);
  const oldest = windows
    .filter(({ from, first }) => above !== undefined && from >= time && from < above.to && first !== null)
    .sort((a, b) => a.from - b.from || a.to - b.to)[0];
  return { near, anchor: oldest?.first ?? null };
}

/** ms from the time to the nearest millisecond that the window has or ends with. */
function distance({ from, to }: TimeRange, time: number): number {
  return Math.max(from - time, 0, time - to);
}

import type { ArchiveSession } from "../archive/session.ts";
import { holds } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { type Known, NEIGHBOURS } from "./plan.ts";

type Archive = Pick<ArchiveSession, "manifest" | "calendar">;

/** What the archive knows about the upper end of the uppermost of the gaps, which are in time order. */
export async function knownAbove(archive: Archive, gaps: readonly TimeRange[]): Promise<Known> {
  const time = gaps.at(-1)?.to;
  if (time === undefined) {
    return { near: [], anchor: null };
  }
  return { near: await archive.calendar.nearestWindows(time, NEIGHBOURS), anchor: await anchorAbove(archive, time) };
}

/**
 * Asked along with the gap, this fill must be in the answer, which then reaches from there down to its oldest row without a hole.
 */
async function anchorAbove({ manifest, calendar }: Archive, time: number): Promise<number | null> {
  const above = manifest.coverage.find(({ from }) => from === time);
  if (above === undefined || !holds(manifest.coverage, time)) {
    return null;
  }
  const found = calendar.visit((sum, unit) =>
    sum.windows === 0 || unit.to <= time || unit.from >= above.to ? "skip" : "open",
  );
  for await (const one of found) {
    const windows = "entries" in one ? one.entries.windows : [];
    const oldest = windows.find(({ from, first }) => from >= time && first !== null);
    if (oldest !== undefined) {
      return oldest.from < above.to ? oldest.first : null;
    }
  }
  return null;
}

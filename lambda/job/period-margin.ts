import type { Snapshot } from "../archive/read.ts";
import { LEAST_MARGIN_MS } from "../core/period-margin.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";

type Archive = Pick<Snapshot, "manifest" | "manifestIndex">;

/** Fewer fills of the period say too little of how far apart two times can be. */
const ENOUGH_ROWS = 1000;
/** The margin is so many times the widest distance that was seen, where that is less than a day. */
const TIMES_WIDEST = 60;

/**
 * How far a walk goes beyond a period (core/period-margin.ts), by how far apart the two times of the archive's fills are: 60 times the widest distance, half an
 * hour at least and a day at most. A day where few fills of the range, or none with two times, were seen; and
 * never less than the widest distance.
 */
export async function marginBySkew({ manifest, manifestIndex }: Archive, range: TimeRange): Promise<number> {
  const { maxSkewMs } = manifest;
  const most = Math.max(DAY_MS, maxSkewMs);
  if (maxSkewMs === 0 || TIMES_WIDEST * maxSkewMs >= most) {
    return most;
  }
  const rows = (await manifestIndex.dataFiles(range)).reduce((sum, one) => sum + one.rows, 0);
  return rows < ENOUGH_ROWS ? most : Math.max(LEAST_MARGIN_MS, TIMES_WIDEST * maxSkewMs);
}

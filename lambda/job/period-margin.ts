import type { Snapshot } from "../archive/read.ts";
import type { Period } from "../core/period.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";

type Archive = Pick<Snapshot, "manifest" | "manifestIndex">;

/** Of a shorter period, a day on each side is much of all that is asked. */
const SHORT_MS = 28 * DAY_MS;
/** Fewer fills of the period say too little of how far apart two times can be. */
const ENOUGH_ROWS = 1000;
/** The margin is so many times the widest distance that was seen, where that is less than a day. */
const TIMES_WIDEST = 60;
const LEAST_MS = 30 * MINUTE_MS;

/**
 * How far a walk goes beyond a period on both sides, ms, before anything is known: a fill belongs to the
 * period by its trade time, and is asked for by `txCreated`.
 */
export function firstMargin({ from, to }: Period): number {
  return to - from < SHORT_MS ? LEAST_MS : DAY_MS;
}

/**
 * The same, by how far apart the two times of the archive's fills are: 60 times the widest distance, half an
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
  return rows < ENOUGH_ROWS ? most : Math.max(LEAST_MS, TIMES_WIDEST * maxSkewMs);
}

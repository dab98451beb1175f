import type { Snapshot } from "../archive/read.ts";
import type { Period } from "../core/period.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";

type Archive = Pick<Snapshot, "manifest" | "manifestIndex">;

/** For a shorter period, a day on each side would be a large part of the request. */
const SHORT_MS = 28 * DAY_MS;
/** With fewer fills of the period, the widest distance seen says too little. */
const ENOUGH_ROWS = 1000;
/** The margin as a multiple of the widest distance seen, if that is less than a day. */
const TIMES_WIDEST = 60;
const LEAST_MS = 30 * MINUTE_MS;

/**
 * How far a walk goes beyond a period on both sides, ms, before the archive's fills are known. A fill belongs
 * to the period by its trade time but is requested by `txCreated`.
 */
export function firstMargin({ from, to }: Period): number {
  return to - from < SHORT_MS ? LEAST_MS : DAY_MS;
}

/**
 * The margin from the distance between the two times of the archive's fills, ms: 60 times the widest
 * distance, at least half an hour and at most a day. It is a day if the range has few fills or none with two
 * times, and never less than the widest distance.
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

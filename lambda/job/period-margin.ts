import type { Snapshot } from "../archive/read.ts";
import { LEAST_MARGIN_MS } from "../core/period-margin.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";

type Archive = Pick<Snapshot, "manifest" | "manifestIndex">;

/** With fewer fills of the period, the widest distance seen says too little. */
const ENOUGH_ROWS = 1000;
/** The margin as a multiple of the widest distance seen, if that is less than a day. */
const TIMES_WIDEST = 60;

/**
 * The margin of a walk beyond a period (core/period-margin.ts), by the distance between the two times of the
 * archive's fills: 60 times the widest distance, at least half an hour and at most a day. It is a day if the range
 * has few fills or none with two times, and never less than the widest distance.
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

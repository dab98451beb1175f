import { intersection, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";

/**
 * Estimates how many fills the ranges hold, from the index alone. It assumes that the fills of a data file
 * are spread evenly.
 */
export async function rowsIn(manifestIndex: ManifestIndex, ranges: readonly TimeRange[]): Promise<number> {
  let rows = 0;
  for (const range of ranges) {
    for (const one of await manifestIndex.dataFiles(range)) {
      rows += (one.rows * width(intersection(range, [one]))) / (one.to - one.from);
    }
  }
  return Math.round(rows);
}

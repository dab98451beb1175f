import { intersection, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";

/** About how many fills the ranges have, by the index alone: as if those of each data file were even. */
export async function rowsIn(manifestIndex: ManifestIndex, ranges: readonly TimeRange[]): Promise<number> {
  let rows = 0;
  for (const range of ranges) {
    for (const one of await manifestIndex.dataFiles(range)) {
      rows += (one.rows * width(intersection(range, [one]))) / (one.to - one.from);
    }
  }
  return Math.round(rows);
}

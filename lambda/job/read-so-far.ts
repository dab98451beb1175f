import { readArchive } from "../archive/read.ts";
import { intersection, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { reachedOf, readOf } from "../walk/share-read.ts";
import type { RunContext } from "./context.ts";

/** How far the runs of an archive have come, as of its last commit. */
export interface ReadSoFar {
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  /**
   * How far a walk of this range has come without a gap, ms UTC, as a running command shows it. Null: it has
   * read nothing, or all.
   */
  readonly reached: (range: TimeRange) => number | null;
}

export async function readSoFar({ store, account }: Pick<RunContext, "store" | "account">): Promise<ReadSoFar> {
  const { manifest, manifestIndex } = await readArchive(store, account);
  const { coverage, fills, checkpoint } = manifest;
  const { open, order, rechecks } = checkpoint;
  const { firstTrade, lastTrade } = manifestIndex.sum;
  const read = union([...coverage, ...open.flatMap((window) => readOf(window, order))]);
  const times = {
    oldest: firstTrade ?? Number.POSITIVE_INFINITY,
    newest: lastTrade ?? Number.NEGATIVE_INFINITY,
    direction: order.direction,
  };
  return {
    coverage,
    fills,
    reached(range) {
      const unread = union([...subtract(range, read), ...intersection(range, rechecks)]);
      const isBegun = intersection(range, read).length > 0;
      return unread.length === 0 || !isBegun ? null : reachedOf({ range, unread, ...times });
    },
  };
}

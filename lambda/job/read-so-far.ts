import { readArchive } from "../archive/read.ts";
import { intersection, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { coveredTwice } from "../walk/plan.ts";
import type { RunContext } from "./context.ts";

/** How far the runs of an archive have come, as of its last commit. */
export interface ReadSoFar {
  /** What was read twice. */
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  /** From when on all of the range is read, at least once, ms UTC. Null: nothing of it, or all. */
  readonly reached: (range: TimeRange) => number | null;
}

export async function readSoFar({ store, account }: Pick<RunContext, "store" | "account">): Promise<ReadSoFar> {
  const { coverage, fills } = (await readArchive(store, account)).manifest;
  const once = union(coverage);
  return {
    coverage: coveredTwice(coverage),
    fills,
    reached(range) {
      const isBegun = intersection(range, once).length > 0;
      return isBegun ? (subtract(range, once).at(-1)?.to ?? null) : null;
    },
  };
}

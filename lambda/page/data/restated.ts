import { readHead } from "../../archive/head.ts";
import { loadManifest } from "../../archive/read.ts";
import { readRestatements } from "../../archive/restatements.ts";
import { restatementsIn } from "../../pack/restatements.ts";
import type { Store } from "../../store/store.ts";
import { mapAtOnce } from "./at-once.ts";
import type { Completeness } from "./claim.ts";

const READS_AT_ONCE = 8;
/** A commit makes one: years of nights that all restate the period. */
const MAX_OBJECTS = 2000;

/**
 * How many late and changed fills of the pack's time the archive knows beyond those that the pack counts. Restatements are only added to, so the rest came
 * since. Null where there is no archive, another one, or too many objects to read.
 */
export async function restatementsSince(
  store: Store,
  account: string,
  { range, restated }: Pick<Completeness, "range" | "restated">,
): Promise<number | null> {
  const held = await readHead(store, account);
  if (held === null) {
    return null;
  }
  const { restatements } = await loadManifest(store, account, held.head);
  const files = restatements.filter(({ firstTrade, lastTrade }) => firstTrade < range.to && lastTrade >= range.from);
  if (files.length > MAX_OBJECTS) {
    return null;
  }
  const counts = await mapAtOnce(files, READS_AT_ONCE, async (file) => {
    let count = 0;
    for await (const batch of restatementsIn(range, [file], (one) => readRestatements(store, one))) {
      count += batch.filter(({ kind }) => kind !== "enriched").length;
    }
    return count;
  });
  const now = counts.reduce((sum, count) => sum + count, 0);
  return now < restated ? null : now - restated;
}

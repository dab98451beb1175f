import type { AccountStores, PackEntry } from "../packs.ts";
import { readTotals, type Totals } from "./key-figures.ts";
import { newestFirst } from "./periods.ts";
import { packPeriods, packVersions } from "./versions.ts";

/** An account's pack of the newest period, and its totals; `totals` is null if a list cannot show them. */
export interface NewestPack {
  readonly pack: PackEntry;
  readonly totals: Totals | null;
}

/**
 * `packs`: by period, newest first. Returns the newest complete version of the first period, or its newest
 * version if none is complete; null if there is no pack.
 */
export function newestOf<Pack extends PackEntry>(packs: readonly Pack[]): Pack | null {
  const versions = packs.filter(({ period }) => period === packs[0]?.period);
  return versions.find(({ latest }) => latest) ?? versions[0] ?? null;
}

/**
 * Null if the newest period has no pack. It lists the periods and the newest period's keys, and reads the
 * totals.
 */
export async function newestPack(stores: AccountStores): Promise<NewestPack | null> {
  const pack = newestOf(await packVersions(stores, newestFirst(await packPeriods(stores)).slice(0, 1)));
  return pack === null ? null : { pack, totals: await readTotals(stores, pack) };
}

import type { AccountStores, PackEntry } from "../packs.ts";
import { type CurrencyFigures, readTotals } from "./key-figures.ts";
import { newestFirst } from "./periods.ts";
import { packPeriods, packVersions } from "./versions.ts";

/** An account's pack of the newest period, and its totals; null: they cannot be shown in a list. */
export interface NewestPack {
  readonly pack: PackEntry;
  readonly totals: readonly CurrencyFigures[] | null;
}

/**
 * Of packs by period, newest first: the newest complete version of the first period, or else its newest;
 * null: there is none.
 */
export function newestOf<Pack extends PackEntry>(packs: readonly Pack[]): Pack | null {
  const versions = packs.filter(({ period }) => period === packs[0]?.period);
  return versions.find(({ latest }) => latest) ?? versions[0] ?? null;
}

/**
 * Null: there is no pack of the newest period. A read each of the periods, of the newest one's keys, and of
 * the totals.
 */
export async function newestPack(stores: AccountStores): Promise<NewestPack | null> {
  const pack = newestOf(await packVersions(stores, newestFirst(await packPeriods(stores)).slice(0, 1)));
  return pack === null ? null : { pack, totals: await readTotals(stores, pack) };
}

import { DAY_MS } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { headKey } from "./keys.ts";

/** What nothing names is deleted once it is so old: longer than a run can be on its way to name it, and long enough to go back to what was replaced. */
export const SAFE_AGE_MS = 7 * DAY_MS;
/** How far the store's times of one moment may lie apart. */
const CLOCK_MARGIN_MS = DAY_MS;

/** When an object was written, by the store's own clock, ms UTC; null when there is none. */
export async function modifiedMsOf(store: Store, key: string): Promise<number | null> {
  for await (const listed of store.list(key)) {
    return listed.key === key ? listed.modifiedMs : null;
  }
  return null;
}

/**
 * Whether an object that another run has left behind may be on some run's list of what to delete. A run that deletes held the archive after it had
 * read the list, so before this one did: what is younger now than SAFE_AGE_MS was younger then.
 */
export async function mayBeDeleted(
  { store, account }: { store: Store; account: string },
  key: string,
): Promise<boolean> {
  const head = await modifiedMsOf(store, headKey(account));
  const written = await modifiedMsOf(store, key);
  return head !== null && (written === null || written <= head - SAFE_AGE_MS + CLOCK_MARGIN_MS);
}

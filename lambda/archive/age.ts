import { DAY_MS } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { headKey } from "./keys.ts";

/**
 * An object that nothing names is deleted at this age. It is longer than any run takes between writing an
 * object and naming it, and it leaves time to return to a replaced version.
 */
export const SAFE_AGE_MS = 7 * DAY_MS;
/** The largest error allowed for when two times of the store's clock are compared. */
const CLOCK_MARGIN_MS = DAY_MS;

/** When an object was written, by the store's own clock, ms UTC. Null if the object does not exist. */
export async function modifiedMsOf(store: Store, key: string): Promise<number | null> {
  for await (const listed of store.list(key)) {
    return listed.key === key ? listed.modifiedMs : null;
  }
  return null;
}

/**
 * True if an object that another run left behind may be on some run's list of objects to delete. A run that
 * deletes proves that it holds the archive after it has read its list, so its list is older than this run's
 * lease: what is younger than SAFE_AGE_MS now was younger then, too.
 */
export async function mayBeDeleted(
  { store, account }: { store: Store; account: string },
  key: string,
): Promise<boolean> {
  const head = await modifiedMsOf(store, headKey(account));
  const written = await modifiedMsOf(store, key);
  return head !== null && (written === null || written <= head - SAFE_AGE_MS + CLOCK_MARGIN_MS);
}

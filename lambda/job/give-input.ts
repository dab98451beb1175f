import { known } from "../archive/objects.ts";
import { FillbookError, usageError } from "../core/errors.ts";
import { openFolderStore } from "../storage/folder.ts";
import type { Store } from "../storage/store.ts";

/**
 * Puts a file among the user's files, where `export` reads it: in a folder, or in the store's inputs of the account.
 * `name`: relative to them, for example `rates/ecb.csv`. Throws `usage` if a file of that name has other content.
 * Never overwrites. `isNew` false: it was there already.
 */
export async function giveInput(
  place: string | { readonly store: Store; readonly account: string },
  name: string,
  bytes: Uint8Array,
): Promise<{ readonly location: string; readonly isNew: boolean }> {
  const [store, key] =
    typeof place === "string" ? [openFolderStore(place), name] : [place.store, `${place.account}/inputs/${name}`];
  const location = `${store.location}/${key}`;
  const outcome = await known(store.createNew(key, bytes)); // if it is not known, the read settles it
  const found = await store.get(key);
  if (found === null) {
    const hint = "run again";
    throw new FillbookError("incomplete", `${location} could not be found after it was written`, { hint });
  }
  if (Buffer.compare(found.body, bytes) !== 0) {
    const hint = "nothing was overwritten: move or rename the file, then run again";
    throw usageError(`${location} exists already, with other content`, hint);
  }
  return { location, isNew: outcome !== "exists" };
}

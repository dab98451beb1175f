import { FillbookError } from "../core/errors.ts";
import { openFolderStore } from "../storage/folder.ts";
import { type Store, StoreUnknownError } from "../storage/store.ts";

/** The place of the user's files: a folder, or `<account>/inputs/` of a store. */
export type InputsPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "store"; readonly store: Store; readonly account: string };

export interface GivenInput {
  /** A path, or `s3://bucket/prefix/main/inputs/rates/ecb.csv`. */
  readonly location: string;
  /** False: the file was there already, with the same content. */
  readonly isNew: boolean;
}

/**
 * Puts a file among the user's files, where `export` reads it. `name`: relative to inputs/, for example
 * `rates/ecb.csv`. Throws `usage` if a file of that name has other content. Never overwrites.
 */
export async function giveInput(place: InputsPlace, name: string, bytes: Uint8Array): Promise<GivenInput> {
  const store = place.kind === "folder" ? openFolderStore(place.path) : place.store;
  const key = place.kind === "folder" ? name : `${place.account}/inputs/${name}`;
  const location = `${store.location}/${key}`;
  const outcome = await createNew(store, key, bytes);
  const found = await store.get(key);
  if (found === null) {
    throw new FillbookError("incomplete", `${location} could not be found after it was written`, {
      hint: "run again",
    });
  }
  if (Buffer.compare(found.body, bytes) !== 0) {
    throw new FillbookError("usage", `${location} exists already, with other content`, {
      hint: "nothing was overwritten: move or rename the file, then run again",
    });
  }
  return { location, isNew: outcome === "created" };
}

/** If the outcome is unknown, the caller's read settles it. */
async function createNew(store: Store, key: string, bytes: Uint8Array): Promise<"created" | "exists"> {
  try {
    return await store.createNew(key, bytes);
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      return "created";
    }
    throw error;
  }
}

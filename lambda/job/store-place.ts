import { dirname, join, posix, resolve } from "node:path";
import { readHead } from "../archive/head.ts";
import { isAccountName } from "../core/account-name.ts";
import { FillbookError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import type { Store } from "../storage/store.ts";
import { accountsIn } from "../web/data/archives.ts";

/** What is where an archive was looked for: a wrong name of a place looks like an empty one. */
export interface StorePlace {
  /** Accounts that have an archive in the store. */
  readonly accounts: readonly string[];
  /** The store's address is that of one account's archive: the store is the folder above. */
  readonly isArchive: boolean;
  /** A store that lies in a folder of this one; null: none was found. */
  readonly below: { readonly folder: string; readonly accounts: readonly string[] } | null;
}

type Reads = Pick<Store, "folders" | "get" | "location">;

/** Folders looked into, so that a large place is not read as a whole. */
const MOST_FOLDERS = 50;

export async function placeOf(store: Store): Promise<StorePlace> {
  const accounts = await accountsIn(store);
  const isArchive = accounts.length === 0 && (await store.get("head.json")) !== null;
  return { accounts, isArchive, below: accounts.length > 0 || isArchive ? null : await storeBelow(store) };
}

async function storeBelow(store: Reads): Promise<StorePlace["below"]> {
  for (const folder of await firstFolders(store, "")) {
    const accounts: string[] = [];
    for (const name of await firstFolders(store, `${folder}/`)) {
      if (isAccountName(name) && (await store.get(`${folder}/${name}/head.json`)) !== null) {
        accounts.push(name);
      }
    }
    if (accounts.length > 0) {
      return { folder, accounts };
    }
  }
  return null;
}

async function firstFolders(store: Reads, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.folders(prefix)) {
    names.push(name);
    if (names.length === MOST_FOLDERS) {
      break;
    }
  }
  return names;
}

/** What the account or the store was probably meant to be; null: nothing speaks for another. */
export function likelyMeant(account: string, location: string, place: StorePlace): string | null {
  if (place.isArchive) {
    const above = isOnS3(location) ? posix.dirname(location) : dirname(location);
    return `${location} is the archive of one account itself: the store is the folder above, --store ${above}`;
  }
  if (place.below !== null) {
    const { folder, accounts } = place.below;
    const inside = isOnS3(location) ? `${location}/${folder}` : join(location, folder);
    return `a store is in a folder of it, with ${listed(accounts)}: --store ${inside}`;
  }
  if (place.accounts.length === 0) {
    return null;
  }
  const near = nearest(account, place.accounts);
  const guess = near === undefined ? "" : `; did you mean --account ${near}?`;
  return `the store has ${listed(place.accounts)}${guess}`;
}

function listed(accounts: readonly string[]): string {
  return `${accounts.length === 1 ? "the account" : "the accounts"} ${accounts.join(", ")}`;
}

/**
 * Where there is no archive: what is there instead. A place that cannot be looked at gives no hint of its
 * own.
 */
export async function noArchive({
  account,
  store,
}: {
  readonly account: string;
  readonly store: Store;
}): Promise<FillbookError> {
  const place = await placeOf(store).catch(() => null);
  const meant = place === null ? null : likelyMeant(account, store.location, place);
  return new FillbookError("usage", `there is no archive of account ${account} in ${store.location}`, {
    hint: meant ?? "check --store and --account, or run: fillbook sync",
  });
}

/**
 * What to say before an archive is begun; null: there is one. Throws `usage` where the store's address is
 * that of an archive: nobody would find one within another.
 */
export async function newArchiveNote(account: string, store: Store): Promise<string | null> {
  if ((await readHead(store, account)) !== null) {
    return null;
  }
  const { location } = store;
  const place = await placeOf(store).catch(() => null); // a role may read one account and no other
  const meant = place === null ? null : likelyMeant(account, location, place);
  if (place?.isArchive === true) {
    throw new FillbookError("usage", `no archive is begun in ${location}`, { hint: meant ?? "check --store" });
  }
  const where = isOnS3(location) ? location : resolve(location);
  return `new archive of account ${account} at ${where}${meant === null ? "" : ` (${meant})`}`;
}

function isOnS3(location: string): boolean {
  return location.startsWith("s3://");
}

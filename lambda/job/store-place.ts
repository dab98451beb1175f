import { existsSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { readHead, readNewestHead } from "../archive/head.ts";
import { isAccountName } from "../core/account-name.ts";
import { type FillbookError, usageError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import type { Store } from "../storage/store.ts";
import { parseStoreUri } from "../storage/uri.ts";
import { accountsIn } from "../web/data/archives.ts";

/** An account, and the store that is to hold its archive. */
interface Wanted {
  readonly account: string;
  readonly store: Store;
}

/** What is at the place where an archive was expected. A mistyped place looks like an empty one. */
interface StorePlace {
  /** False: it has no archive, but is one, or has a store in a subfolder. */
  readonly isStore: boolean;
  /** True if the address is that of one account's archive. The store is then the parent folder. */
  readonly isArchive: boolean;
  /** A sentence on the account or store that was probably meant. Null: there is no better guess. */
  readonly meant: string | null;
}

type Reads = Pick<Store, "folders" | "get" | "location">;

/** The most folders that are looked into, so that a large place is not read as a whole. */
const MOST_FOLDERS = 50;

async function placeOf({ account, store }: Wanted): Promise<StorePlace> {
  const { location } = store;
  const inFolder = isFolder(location);
  const accounts = await accountsIn(store);
  if (accounts.length > 0) {
    const near = nearest(account, accounts);
    const guess = near === undefined ? "" : `; did you mean --account ${near}?`;
    return { isStore: true, isArchive: false, meant: `the store has ${listed(accounts)}${guess}` };
  }
  if ((await store.get("head.json")) !== null) {
    const above = inFolder ? dirname(location) : posix.dirname(location);
    const meant = `${location} is the archive of one account; the store is its parent folder: --store ${above}`;
    return { isStore: false, isArchive: true, meant };
  }
  const below = await storeBelow(store);
  if (below === null) {
    return { isStore: true, isArchive: false, meant: null };
  }
  const inside = inFolder ? join(location, below.folder) : `${location}/${below.folder}`;
  const meant = `a subfolder holds a store with ${listed(below.accounts)}: --store ${inside}`;
  return { isStore: false, isArchive: false, meant };
}

/** As far as the place can be read: a role may read one account and no other. */
export async function placeIfRead(wanted: Wanted): Promise<StorePlace> {
  return await placeOf(wanted).catch(() => ({ isStore: true, isArchive: false, meant: null }));
}

async function storeBelow(
  store: Reads,
): Promise<{ readonly folder: string; readonly accounts: readonly string[] } | null> {
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

function listed(accounts: readonly string[]): string {
  return `${accounts.length === 1 ? "the account" : "the accounts"} ${accounts.join(", ")}`;
}

/** The error for a missing archive, with a hint at what is there instead. */
export async function noArchive({ account, store }: Wanted): Promise<FillbookError> {
  const { meant } = await placeIfRead({ account, store });
  const hint = meant ?? "check --store and --account, or run: fillbook sync";
  return usageError(`there is no archive of account ${account} in ${store.location}`, hint);
}

/**
 * Throws `usage` if the place is not a store: there is no such folder, or it is an archive, or has a store
 * in a subfolder. An empty folder is a store without accounts.
 */
export async function requireStore(wanted: Wanted): Promise<void> {
  const { location } = wanted.store;
  const { isStore } = await placeOf(wanted);
  if (!isStore || (isFolder(location) && !existsSync(location))) {
    throw await noArchive(wanted);
  }
}

/**
 * A note before a new archive is begun. Null: the archive exists. Throws `usage` if the store's address is
 * that of an archive, because nobody would find an archive inside another; `untrusted` if its head is lost.
 */
export async function newArchiveNote(wanted: Wanted): Promise<string | null> {
  const { account, store } = wanted;
  if (((await readHead(store, account)) ?? (await readNewestHead(store, account))) !== null) {
    return null;
  }
  const { location } = store;
  const { isArchive, meant } = await placeIfRead(wanted);
  if (isArchive) {
    throw usageError(`cannot start an archive in ${location}`, meant ?? "check --store");
  }
  const where = isFolder(location) ? resolve(location) : location;
  return `new archive of account ${account} at ${where}${meant === null ? "" : ` (${meant})`}`;
}

/** True if the store is a folder, whose files other programs can open. `location`: as the store gives it. */
export function isFolder(location: string): boolean {
  return parseStoreUri(location).kind === "folder";
}

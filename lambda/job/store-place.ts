import { existsSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { readHead } from "../archive/head.ts";
import { isAccountName } from "../core/account-name.ts";
import { FillbookError } from "../core/errors.ts";
import { nearest } from "../core/suggest.ts";
import type { Store } from "../storage/store.ts";
import { parseStoreUri } from "../storage/uri.ts";
import { accountsIn } from "../web/data/archives.ts";

/** What is at the place where an archive was expected. A mistyped place looks like an empty one. */
export interface StorePlace {
  /** Accounts that have an archive in the store. */
  readonly accounts: readonly string[];
  /** True if the address is that of one account's archive. The store is then the parent folder. */
  readonly isArchive: boolean;
  /** A store in a subfolder of this one. Null: none was found. */
  readonly below: { readonly folder: string; readonly accounts: readonly string[] } | null;
}

type Reads = Pick<Store, "folders" | "get" | "location">;

/** The most folders that are looked into, so that a large place is not read as a whole. */
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

/** A sentence on the account or store that was probably meant. Null: there is no better guess. */
export function likelyMeant(account: string, location: string, place: StorePlace): string | null {
  if (place.isArchive) {
    const above = isFolder(location) ? dirname(location) : posix.dirname(location);
    return `${location} is the archive of one account; the store is its parent folder: --store ${above}`;
  }
  if (place.below !== null) {
    const { folder, accounts } = place.below;
    const inside = isFolder(location) ? join(location, folder) : `${location}/${folder}`;
    return `a subfolder holds a store with ${listed(accounts)}: --store ${inside}`;
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
 * The error for a missing archive, with a hint at what is there instead. If the place cannot be read, the
 * hint is a general one.
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
 * Throws `usage` if the place is not a store: there is no such folder, or it is an archive, or has a store
 * in a subfolder. An empty folder is a store without accounts.
 */
export async function requireStore(job: { readonly account: string; readonly store: Store }): Promise<void> {
  const { store } = job;
  const { accounts, isArchive, below } = await placeOf(store);
  const isMissing = isFolder(store.location) && !existsSync(store.location);
  if (accounts.length === 0 && (isArchive || below !== null || isMissing)) {
    throw await noArchive(job);
  }
}

/**
 * A note before a new archive is begun. Null: the archive exists. Throws `usage` if the store's address is
 * that of an archive, because nobody would find an archive inside another.
 */
export async function newArchiveNote(account: string, store: Store): Promise<string | null> {
  if ((await readHead(store, account)) !== null) {
    return null;
  }
  const { location } = store;
  const place = await placeOf(store).catch(() => null); // a role may read one account and no other
  const meant = place === null ? null : likelyMeant(account, location, place);
  if (place?.isArchive === true) {
    throw new FillbookError("usage", `cannot start an archive in ${location}`, { hint: meant ?? "check --store" });
  }
  const where = isFolder(location) ? resolve(location) : location;
  return `new archive of account ${account} at ${where}${meant === null ? "" : ` (${meant})`}`;
}

/** True if the store is a folder, whose files other programs can open. `location`: as the store gives it. */
export function isFolder(location: string): boolean {
  return parseStoreUri(location).kind === "folder";
}

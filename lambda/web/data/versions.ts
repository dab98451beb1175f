import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/build/maker.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores, PackEntry, PackName, PackPeriod, PackStoreName } from "../packs.ts";
import { collected, mapConcurrent } from "./map-concurrent.ts";

/** One version of a pack, as its listed keys show it. None of its files was read. */
export interface StoredVersion extends PackEntry {
  /** Bytes of its files, by path within the pack. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Requests in progress at the same time. */
export const AT_ONCE = 32;
const LATEST = "latest.json";
/** latest.json has about 200 bytes. */
const MAX_LATEST_BYTES = 10_000;

export function storeOf({ store, packStore }: AccountStores, name: PackStoreName): Store {
  return name === "packs" ? (packStore ?? store) : store;
}

/** The periods that have packs, in no particular order. Each store needs one listing of folders. */
export async function packPeriods(stores: AccountStores): Promise<PackPeriod[]> {
  const inUse: readonly PackStoreName[] = stores.packStore === null ? ["archive"] : ["archive", "packs"];
  const folders = await Promise.all(
    inUse.map((store) => collected(storeOf(stores, store).folders(packsPrefix(stores.account)))),
  );
  const names = [...new Set(folders.flat())].sort(compareText);
  const known = folders.map((some) => new Set(some));
  return names.map((name) => ({ name, stores: inUse.filter((_, at) => known[at]?.has(name)) }));
}

/**
 * All versions of these periods: by period in the given order, then newest first. Each period needs a listing
 * of keys, and one read if several versions are complete.
 */
export async function packVersions(stores: AccountStores, periods: readonly PackPeriod[]): Promise<StoredVersion[]> {
  const places = periods.flatMap((period) => period.stores.map((store) => ({ period: period.name, store })));
  const folders = await mapConcurrent(places, AT_ONCE, (place) => listFolder(stores, place));
  const byPeriod = Map.groupBy(folders, ({ period }) => period);
  return (await mapConcurrent([...byPeriod.values()], AT_ONCE, (some) => versionsIn(stores, some))).flat();
}

/** A period's folder in one store, as its listed keys show it. */
interface PeriodFolder {
  readonly period: string;
  readonly store: PackStoreName;
  /** Finished versions only: a version without its SHA256SUMS was cut off while it was written. */
  readonly versions: ReadonlyMap<string, { readonly sizes: Map<string, number>; madeAt: number }>;
  readonly latest: { readonly bytes: number; readonly madeAt: number };
}

async function listFolder(
  stores: AccountStores,
  { period, store }: Pick<PeriodFolder, "period" | "store">,
): Promise<PeriodFolder> {
  const prefix = periodPrefix(stores.account, period);
  const versions = new Map<string, { readonly sizes: Map<string, number>; madeAt: number }>();
  let latest = { bytes: 0, madeAt: 0 };
  for await (const { key, bytes, modifiedMs } of storeOf(stores, store).list(prefix)) {
    // For a store that reports no time, the page shows 1970.
    const madeAt = Number.isFinite(modifiedMs) ? modifiedMs : 0;
    const [version = "", ...path] = key.slice(prefix.length).split("/");
    if (path.length > 0) {
      const folder = getOrMake(versions, version, () => ({ sizes: new Map(), madeAt: 0 }));
      folder.sizes.set(path.join("/"), bytes);
      folder.madeAt = Math.max(folder.madeAt, madeAt);
    } else if (version === LATEST) {
      latest = { bytes, madeAt };
    }
  }
  const finished = [...versions].filter(([version, { sizes }]) => sizes.has(sumsPathOf(version)));
  return { period, store, versions: new Map(finished), latest };
}

/**
 * All versions of a period, newest first. If both stores have a version, the pack store's counts. The latest
 * version is read only if several are complete, from the newest latest.json, which the last export wrote.
 */
async function versionsIn(stores: AccountStores, folders: readonly PeriodFolder[]): Promise<StoredVersion[]> {
  const packsLast = folders.toSorted((a, b) => compareText(a.store, b.store));
  const found = new Map(
    packsLast.flatMap(({ period, store, versions }) =>
      [...versions].map(([version, one]) => [version, { ...one, period, store }]),
    ),
  );
  const complete = [...found.keys()].filter(isComplete);
  const latest = complete.length > 1 ? await latestOf(stores, packsLast) : complete[0];
  return [...found]
    .map(([version, one]) => ({
      ...one,
      version,
      complete: isComplete(version),
      latest: version === latest,
      bytes: [...one.sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    }))
    .sort((a, b) => b.madeAt - a.madeAt || compareText(b.version, a.version));
}

/**
 * The version that the newest latest.json names; of two with the same time, the pack store's. Null if none
 * can be read; `verify` reports that.
 */
async function latestOf(stores: AccountStores, folders: readonly PeriodFolder[]): Promise<string | null> {
  const [newest] = folders
    .toReversed()
    .filter(({ latest }) => latest.bytes > 0)
    .sort((a, b) => b.latest.madeAt - a.latest.madeAt);
  if (newest === undefined || newest.latest.bytes > MAX_LATEST_BYTES) {
    return null;
  }
  const stored = await storeOf(stores, newest.store).get(periodPrefix(stores.account, newest.period) + LATEST);
  return /"version": "(?<version>[^"]+)"/.exec(Buffer.from(stored?.body ?? []).toString())?.groups?.["version"] ?? null;
}

/** The key of a version's file. */
export function packKey(account: string, { period, version }: PackName, path: string): string {
  return `${periodPrefix(account, period)}${version}/${path}`;
}

/** The prefix of a version's file names. */
export function markOf(version: string): string {
  return isComplete(version) ? "" : INCOMPLETE_MARK;
}

export function sumsPathOf(version: string): string {
  return `${markOf(version)}SHA256SUMS`;
}

function packsPrefix(account: string): string {
  return `${account}/packs/`;
}

function periodPrefix(account: string, period: string): string {
  return `${packsPrefix(account)}${period}/`;
}

function isComplete(version: string): boolean {
  return !version.endsWith("-INCOMPLETE");
}

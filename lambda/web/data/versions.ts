import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { MAX_LATEST_BYTES, notedIn } from "../../pack/catalogue/noted.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores, PackEntry, PackName, PackNote, PackPeriod, PackStoreName } from "../packs.ts";
import { collected, mapConcurrent } from "./map-concurrent.ts";
import { parseNote } from "./nets.ts";

/** One version of a pack, as its listed keys show it. None of its files was read. */
export interface StoredVersion extends PackEntry {
  /** Bytes of its files, by path within the pack. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Requests in progress at the same time. */
export const AT_ONCE = 32;
const LATEST = "latest.json";
const ZIP = ".zip";

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

/** What the stores have of a period. */
export interface PeriodVersions extends Pick<PackEntry, "period" | "latestGone"> {
  /** Newest first. */
  readonly versions: readonly StoredVersion[];
}

/** All versions of these periods: by period in the given order, then newest first. */
export async function packVersions(stores: AccountStores, periods: readonly PackPeriod[]): Promise<StoredVersion[]> {
  return (await versionsByPeriod(stores, periods)).flatMap(({ versions }) => versions);
}

/** In the given order. Each period needs a listing of keys, and a read of latest.json. */
export async function versionsByPeriod(
  stores: AccountStores,
  periods: readonly PackPeriod[],
): Promise<PeriodVersions[]> {
  const places = periods.flatMap((period) => period.stores.map((store) => ({ period: period.name, store })));
  const folders = await mapConcurrent(places, AT_ONCE, (place) => listFolder(stores, place));
  const byPeriod = Map.groupBy(folders, ({ period }) => period);
  return await mapConcurrent([...byPeriod], AT_ONCE, ([period, some]) => versionsIn(stores, period, some));
}

/** A period's folder in one store, as its listed keys show it. */
interface PeriodFolder {
  readonly period: string;
  readonly store: PackStoreName;
  /** Finished versions only: a version without its SHA256SUMS was cut off while it was written. */
  readonly versions: ReadonlyMap<string, { readonly sizes: Map<string, number>; madeAt: number }>;
  /** The sizes of ZIPs, by version. */
  readonly zips: ReadonlyMap<string, number>;
  readonly latest: { readonly bytes: number; readonly madeAt: number };
}

async function listFolder(
  stores: AccountStores,
  { period, store }: Pick<PeriodFolder, "period" | "store">,
): Promise<PeriodFolder> {
  const prefix = periodPrefix(stores.account, period);
  const versions = new Map<string, { readonly sizes: Map<string, number>; madeAt: number }>();
  const zips = new Map<string, number>();
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
    } else if (version.endsWith(ZIP)) {
      zips.set(version.slice(0, -ZIP.length), bytes);
    }
  }
  const finished = [...versions].filter(([version, { sizes }]) => sizes.has(sumsPathOf(version)));
  return { period, store, versions: new Map(finished), zips, latest };
}

/**
 * If both stores have a version, the pack store's counts. The newest latest.json, which the last export
 * wrote, names the latest version. Where it names none, the only complete version is the latest.
 */
async function versionsIn(
  stores: AccountStores,
  period: string,
  folders: readonly PeriodFolder[],
): Promise<PeriodVersions> {
  const packsLast = folders.toSorted((a, b) => compareText(a.store, b.store));
  const found = new Map(
    packsLast.flatMap(({ store, versions, zips }) =>
      [...versions].map(([version, one]) => [version, { ...one, period, store, zipBytes: zips.get(version) ?? null }]),
    ),
  );
  const complete = [...found.keys()].filter(isComplete);
  const only = complete.length === 1 ? complete[0] : undefined;
  const named = await latestOf(stores, packsLast);
  const latest = named.version ?? only;
  const latestGone = named.version === null || found.has(named.version) ? null : named.version;
  const made = timesOf(found, only === undefined ? named : NOTHING_NAMED);
  const all = [...found]
    .map(([version, one]) => ({
      ...one,
      version,
      complete: isComplete(version),
      latest: version === latest,
      latestGone,
      madeAt: made.get(version)?.at ?? one.madeAt,
      note: made.get(version)?.note ?? null,
      bytes: [...one.sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    }))
    .sort(
      (a, b) =>
        b.madeAt - a.madeAt ||
        (made.get(b.version)?.place ?? -1) - (made.get(a.version)?.place ?? -1) ||
        compareText(b.version, a.version),
    );
  return { period, versions: all, latestGone };
}

/** What the newest latest.json says. */
interface NamedVersions {
  /** The version that it names. */
  readonly version: string | null;
  /** When it was written, ms UTC. */
  readonly at: number;
  /** Of the versions that it named, the last one at the end. */
  readonly noted: readonly { readonly version: string; readonly note: PackNote | null }[];
}

const NOTHING_NAMED: NamedVersions = { version: null, at: 0, noted: [] };

/** When each version was last named: not before those that were named before it, and the last one now. */
function timesOf(
  found: ReadonlyMap<string, { readonly madeAt: number }>,
  { version: latest, at: namedAt, noted }: NamedVersions,
): ReadonlyMap<string, { readonly at: number; readonly place: number; readonly note: PackNote | null }> {
  const times = new Map<string, { readonly at: number; readonly place: number; readonly note: PackNote | null }>();
  let before = 0;
  for (const [place, { version, note }] of noted.entries()) {
    const own = found.get(version)?.madeAt ?? 0;
    before = Math.max(before, own, version === latest ? namedAt : 0);
    times.set(version, { at: before, place, note });
  }
  return times;
}

/**
 * What the newest latest.json says; of two with the same time, the pack store's. It names nothing if none can
 * be read; `verify` reports that.
 */
async function latestOf(stores: AccountStores, folders: readonly PeriodFolder[]): Promise<NamedVersions> {
  const [newest] = folders
    .toReversed()
    .filter(({ latest }) => latest.bytes > 0)
    .sort((a, b) => b.latest.madeAt - a.latest.madeAt);
  if (newest === undefined || newest.latest.bytes > MAX_LATEST_BYTES) {
    return NOTHING_NAMED;
  }
  const stored = await storeOf(stores, newest.store).get(periodPrefix(stores.account, newest.period) + LATEST);
  const text = Buffer.from(stored?.body ?? []).toString();
  const noted = notedIn(text).flatMap((one) => {
    const { version } = one;
    return typeof version === "string" ? [{ version, note: parseNote(one) }] : [];
  });
  const version = /"version": "(?<version>[\w-]{1,64})"/.exec(text)?.groups?.["version"] ?? null;
  return { version, at: newest.latest.madeAt, noted };
}

/** The key of a version's file. */
export function packKey(account: string, { period, version }: PackName, path: string): string {
  return `${periodPrefix(account, period)}${version}/${path}`;
}

/** The key of a version's ZIP, beside its files. */
export function zipKey(account: string, { period, version }: PackName): string {
  return `${periodPrefix(account, period)}${version}${ZIP}`;
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

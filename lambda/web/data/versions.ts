import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/build/maker.ts";
import type { Store } from "../../storage/store.ts";
import type { PackEntry, PackStoreName } from "../ports.ts";

/** One version of a pack, as a list of its keys shows it: nothing of it was read. */
export interface StoredVersion {
  readonly entry: PackEntry;
  /** Its files' bytes, by path within the pack. */
  readonly files: ReadonlyMap<string, number>;
}

const LATEST = "latest.json";
/** latest.json has some 200. */
const MAX_LATEST_BYTES = 10_000;

/** Names of the folders of packs, in the order of their keys. */
export async function periodNamesOf(packStore: Store, account: string): Promise<string[]> {
  const names: string[] = [];
  for await (const name of packStore.folders(packsPrefix(account))) {
    names.push(name);
  }
  return names;
}

/** A period's folder in one store, as a list of its keys shows it. */
export interface PeriodFolder {
  readonly store: PackStoreName;
  /** Versions that were written to their end; one without its SHA256SUMS was cut off, and is none. */
  readonly versions: ReadonlyMap<string, VersionFolder>;
  readonly latest: Pick<VersionFolder, "madeAt"> & { readonly bytes: number };
}

interface VersionFolder {
  readonly files: ReadonlyMap<string, number>;
  readonly madeAt: number;
}

/** Lists one period's keys. `period`: as the store names it. */
export async function listFolder(
  packStore: Store,
  account: string,
  { period, store }: { readonly period: string; readonly store: PackStoreName },
): Promise<PeriodFolder> {
  const prefix = periodPrefix(account, period);
  const folders = new Map<string, { readonly files: Map<string, number>; madeAt: number }>();
  let latest = { bytes: 0, madeAt: 0 };
  for await (const { key, bytes, modifiedMs } of packStore.list(prefix)) {
    // A storage that gives no time: the page shows 1970 rather than none at all.
    const madeAt = Number.isFinite(modifiedMs) ? modifiedMs : 0;
    const [version = "", ...path] = key.slice(prefix.length).split("/");
    if (path.length > 0) {
      const folder = folders.get(version) ?? { files: new Map(), madeAt: 0 };
      folders.set(version, folder);
      folder.files.set(path.join("/"), bytes);
      folder.madeAt = Math.max(folder.madeAt, madeAt);
    } else if (version === LATEST) {
      latest = { bytes, madeAt };
    }
  }
  const finished = [...folders].filter(([version, { files }]) => files.has(`${markOf(version)}SHA256SUMS`));
  return { store, versions: new Map(finished), latest };
}

/**
 * All versions of a period, newest first; one that both stores have is the packs' own. Which is the latest is read where there is a choice, from the
 * newest latest.json: the one that the last export wrote. `storeOf`: the stores by their names.
 */
export async function versionsOf(
  storeOf: (name: PackStoreName) => Store,
  account: string,
  period: string,
  folders: readonly PeriodFolder[],
): Promise<StoredVersion[]> {
  const packsLast = folders.toSorted((a, b) => compareText(a.store, b.store));
  const found = new Map(
    packsLast.flatMap(({ store, versions }) => [...versions].map(([version, one]) => [version, { ...one, store }])),
  );
  const complete = [...found.keys()].filter(isComplete);
  const latest = complete.length > 1 ? await latestOf(storeOf, periodPrefix(account, period), packsLast) : complete[0];
  return [...found]
    .map(([version, { files, madeAt, store }]): StoredVersion => {
      const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
      const entry = {
        period,
        version,
        complete: isComplete(version),
        latest: version === latest,
        madeAt,
        bytes,
        store,
      };
      return { entry, files };
    })
    .sort(({ entry: a }, { entry: b }) => b.madeAt - a.madeAt || compareText(b.version, a.version));
}

/** Key prefix of a version's files. */
export function packPrefix(account: string, { period, version }: Pick<PackEntry, "period" | "version">): string {
  return `${periodPrefix(account, period)}${version}/`;
}

/** What a version's file names begin with. */
export function markOf(version: string): string {
  return isComplete(version) ? "" : INCOMPLETE_MARK;
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

/** What the newest latest.json names, of equally old ones the last; null where there is none that can be read, which `verify` reports. */
async function latestOf(
  storeOf: (name: PackStoreName) => Store,
  prefix: string,
  folders: readonly PeriodFolder[],
): Promise<string | null> {
  const newest = folders
    .filter(({ latest }) => latest.bytes > 0)
    .reduce<PeriodFolder | null>((a, b) => (a === null || b.latest.madeAt >= a.latest.madeAt ? b : a), null);
  if (newest === null || newest.latest.bytes > MAX_LATEST_BYTES) {
    return null;
  }
  const stored = await storeOf(newest.store).get(prefix + LATEST);
  return /"version": "(?<version>[^"]+)"/.exec(Buffer.from(stored?.body ?? []).toString())?.groups?.["version"] ?? null;
}

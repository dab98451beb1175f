import { compareText } from "../../model/text.ts";
import { INCOMPLETE_MARK } from "../../pack/maker.ts";
import type { Store } from "../../store/store.ts";
import type { PackEntry } from "../ports.ts";

/** One version of a pack, as a list of its keys shows it: nothing of it was read. */
export interface StoredVersion {
  readonly entry: PackEntry;
  /** Its files' bytes, by path within the pack. */
  readonly files: ReadonlyMap<string, number>;
}

const LATEST = "latest.json";
/** latest.json has some 200. */
const MAX_LATEST_BYTES = 10_000;

export async function periodsOf(packStore: Store, account: string): Promise<string[]> {
  const periods: string[] = [];
  for await (const period of packStore.folders(packsPrefix(account))) {
    periods.push(period);
  }
  return periods.sort(compareText);
}

/**
 * All versions of a period that were written to their end, newest first; one without its SHA256SUMS was cut off, and is none. One list of keys, and
 * latest.json where there is a choice. `period`: as the store names it.
 */
export async function versionsOf(packStore: Store, account: string, period: string): Promise<StoredVersion[]> {
  const prefix = `${packsPrefix(account)}${period}/`;
  const folders = new Map<string, Folder>();
  let latestBytes = 0;
  for await (const { key, bytes, modifiedMs } of packStore.list(prefix)) {
    const [version = "", ...path] = key.slice(prefix.length).split("/");
    if (path.length > 0) {
      const folder = folders.get(version) ?? { files: new Map(), modifiedMs: 0 };
      folders.set(version, folder);
      folder.files.set(path.join("/"), bytes);
      folder.modifiedMs = Math.max(folder.modifiedMs, modifiedMs);
    } else if (version === LATEST) {
      latestBytes = bytes;
    }
  }
  const finished = [...folders].filter(([version, { files }]) => files.has(`${markOf(version)}SHA256SUMS`));
  const complete = finished.map(([version]) => version).filter(isComplete);
  const latest = complete.length > 1 ? await latestOf(packStore, prefix, latestBytes) : complete[0];
  return finished
    .map(([version, { files, modifiedMs }]): StoredVersion => {
      const bytes = [...files.values()].reduce((sum, one) => sum + one, 0);
      // A storage that gives no time: the page shows 1970 rather than none at all.
      const madeAt = Number.isFinite(modifiedMs) ? modifiedMs : 0;
      const entry = { period, version, complete: isComplete(version), latest: version === latest, madeAt, bytes };
      return { entry, files };
    })
    .sort(({ entry: a }, { entry: b }) => b.madeAt - a.madeAt || compareText(b.version, a.version));
}

interface Folder {
  readonly files: Map<string, number>;
  modifiedMs: number;
}

/** Key prefix of a version's files. */
export function packPrefix(account: string, { period, version }: Pick<PackEntry, "period" | "version">): string {
  return `${packsPrefix(account)}${period}/${version}/`;
}

/** What a version's file names begin with. */
export function markOf(version: string): string {
  return isComplete(version) ? "" : INCOMPLETE_MARK;
}

function packsPrefix(account: string): string {
  return `${account}/packs/`;
}

function isComplete(version: string): boolean {
  return !version.endsWith("-INCOMPLETE");
}

/** What latest.json names; null where it is missing or cannot be read, which `verify` reports. */
async function latestOf(packStore: Store, prefix: string, bytes: number): Promise<string | null> {
  const stored = bytes > 0 && bytes <= MAX_LATEST_BYTES ? await packStore.get(prefix + LATEST) : null;
  return /"version": "(?<version>[^"]+)"/.exec(Buffer.from(stored?.body ?? []).toString())?.groups?.["version"] ?? null;
}

import { readPackName } from "../../core/period-name.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores, PackEntry, PackName, PackStoreName } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";

/** One version of a pack, as its listed keys show it. None of its files was read. */
export interface StoredVersion extends PackEntry {
  /** Bytes of its files, by path within the pack. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** What the stores have of a period. */
export interface PeriodVersions extends Pick<PackEntry, "period" | "latestGone"> {
  /** Newest first. */
  readonly versions: readonly StoredVersion[];
}

/** Requests in progress at the same time. */
export const AT_ONCE = 32;
const LATEST = "latest.json";
/** A longer latest.json is not read. */
const MAX_LATEST_BYTES = 10_000;

export function storeOf({ store, packStore }: AccountStores, name: PackStoreName): Store {
  return name === "packs" ? (packStore ?? store) : store;
}

function storesIn({ packStore }: AccountStores): readonly PackStoreName[] {
  return packStore === null ? ["archive"] : ["archive", "packs"];
}

/** The names of the periods that have packs, sorted as texts. */
export async function packPeriods(stores: AccountStores): Promise<readonly string[]> {
  const folders = await Promise.all(
    storesIn(stores).map((name) => Array.fromAsync(storeOf(stores, name).folders(packsPrefix(stores.account)))),
  );
  return [...new Set(folders.flat())].sort(compareText);
}

/**
 * Sorts by end, newest first; then the longest period first; then by name. Names that state no time come
 * last.
 */
export function newestFirst(periods: readonly string[]): string[] {
  return periods
    .map((name) => ({ name, time: readPackName(name) ?? { from: "", to: "" } }))
    .sort(
      (a, b) =>
        compareText(b.time.to, a.time.to) || compareText(a.time.from, b.time.from) || compareText(a.name, b.name),
    )
    .map(({ name }) => name);
}

/** The newest tax year that is over, or else the first period. `periods`: newest first. `now`: ms UTC. */
export function leadingPeriod(periods: readonly string[], now: number): string | null {
  const isFinishedTaxYear = (name: string) => {
    const read = readPackName(name);
    return Date.parse(read?.to ?? "") <= now && TAX_YEARS.some(({ code }) => code === read?.typed?.split("-")[0]);
  };
  return periods.find(isFinishedTaxYear) ?? periods[0] ?? null;
}

/** The newest complete version, or the newest one if none is complete; null if there is none. */
export function newestOf<Pack extends PackEntry>({ versions }: { readonly versions: readonly Pack[] }): Pack | null {
  return versions.find(({ latest }) => latest) ?? versions[0] ?? null;
}

/** In the given order. */
export async function versionsByPeriod(stores: AccountStores, periods: readonly string[]): Promise<PeriodVersions[]> {
  return await mapConcurrent(periods, AT_ONCE, (period) => versionsOf(stores, period));
}

/**
 * All versions of a period. If both stores have a version, the pack store's counts. The newest latest.json,
 * which the last export wrote, names the latest version. Where it names none, the only complete version is
 * the latest.
 */
export async function versionsOf(stores: AccountStores, period: string): Promise<PeriodVersions> {
  const listed = await Promise.all(storesIn(stores).map((store) => listFolder(stores, period, store)));
  const found = [...new Map(listed.flatMap((one) => one.versions.map((own) => [own.version, own]))).values()];
  const named = await latestIn(stores, period, listed);
  const isGone = named !== null && found.every(({ version }) => version !== named.version);
  const [only, another] = found.filter(({ complete }) => complete);
  const latestName = named?.version ?? (another === undefined ? only?.version : undefined);
  const latestGone = isGone ? named.version : null;
  const versions = found
    .map((one) => {
      const latest = one.version === latestName;
      // A version that is made again has the files that it had; latest.json is written anew.
      return { ...one, latest, latestGone, madeAt: latest ? Math.max(one.madeAt, named?.at ?? 0) : one.madeAt };
    })
    .sort((a, b) => b.madeAt - a.madeAt || Number(b.latest) - Number(a.latest) || compareText(b.version, a.version));
  return { period, versions, latestGone };
}

/** Finished versions of a period in one store: one without its SHA256SUMS was cut off while it was written. */
async function listFolder(stores: AccountStores, period: string, store: PackStoreName) {
  const prefix = periodPrefix(stores.account, period);
  const objects = (await Array.fromAsync(storeOf(stores, store).list(prefix))).map(({ key, bytes, modifiedMs }) => {
    const [version = "", ...path] = key.slice(prefix.length).split("/");
    // For a store that reports no time, the page shows 1970.
    return { version, path: path.join("/"), bytes, madeAt: Number.isFinite(modifiedMs) ? modifiedMs : 0 };
  });
  const beside = new Map(objects.filter(({ path }) => path === "").map((one) => [one.version, one]));
  const folders = Map.groupBy(
    objects.filter(({ path }) => path !== ""),
    ({ version }) => version,
  );
  const versions = [...folders].map(([version, files]) => ({
    ...{ period, store, version, complete: isComplete(version) },
    sizes: new Map(files.map(({ path, bytes }) => [path, bytes])),
    madeAt: files.reduce((last, { madeAt }) => Math.max(last, madeAt), 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    zipBytes: beside.get(`${version}.zip`)?.bytes ?? null,
  }));
  const finished = versions.filter(({ version, sizes }) => sizes.has(sumsPathOf(version)));
  return { store, versions: finished, latest: beside.get(LATEST) ?? null };
}

/**
 * The version that the newest latest.json names, and when it was written; of two with the same time, the pack
 * store's counts. Null if none can be read; `verify` reports that.
 */
async function latestIn(
  stores: AccountStores,
  period: string,
  listed: readonly Pick<Awaited<ReturnType<typeof listFolder>>, "store" | "latest">[],
): Promise<{ readonly version: string; readonly at: number } | null> {
  const [newest] = listed
    .flatMap(({ store, latest }) => (latest === null ? [] : [{ store, ...latest }]))
    .sort((a, b) => b.madeAt - a.madeAt || compareText(b.store, a.store));
  if (newest === undefined || newest.bytes > MAX_LATEST_BYTES) {
    return null;
  }
  const stored = await storeOf(stores, newest.store).get(periodPrefix(stores.account, period) + LATEST);
  const text = Buffer.from(stored?.body ?? []).toString();
  const version = /"version": "(?<version>[\w-]{1,64})"/.exec(text)?.groups?.["version"];
  return version === undefined ? null : { version, at: newest.madeAt };
}

/** The key of a version's file. */
export function packKey(account: string, { period, version }: PackName, path: string): string {
  return `${periodPrefix(account, period)}${version}/${path}`;
}

/** The key of a version's ZIP, beside its files. */
export function zipKey(account: string, { period, version }: PackName): string {
  return `${periodPrefix(account, period)}${version}.zip`;
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

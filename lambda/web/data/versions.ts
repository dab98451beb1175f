import { readPackName } from "../../core/period-name.ts";
import { fieldsIn } from "../../core/record.ts";
import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import type { AccountStores, PackEntry, PackName } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const AT_ONCE = 32;
const LATEST = "latest.json";

/**
 * The names of the periods that have packs. By end, newest first; then the longest first; then by name. Names that
 * state no time come last.
 */
export async function packPeriods({ account, packs }: Pick<AccountStores, "account" | "packs">): Promise<string[]> {
  return (await Array.fromAsync(packs.folders(packsPrefix(account))))
    .map((name) => ({ name, time: readPackName(name) ?? { from: "", to: "" } }))
    .sort(
      (a, b) =>
        compareText(b.time.to, a.time.to) || compareText(a.time.from, b.time.from) || compareText(a.name, b.name),
    )
    .map(({ name }) => name);
}

/** The versions of each period, in the given order. */
export async function versionsByPeriod(stores: AccountStores, periods: readonly string[]): Promise<PackEntry[][]> {
  return await mapConcurrent(periods, AT_ONCE, (period) => versionsOf(stores, period));
}

/** The versions of a period, newest first. One without its SHA256SUMS was cut off while it was written. */
export async function versionsOf({ account, packs }: AccountStores, period: string): Promise<PackEntry[]> {
  const prefix = periodPrefix(account, period);
  const objects = (await Array.fromAsync(packs.list(prefix))).map(({ key, bytes, modifiedMs }) => {
    const [version = "", ...path] = key.slice(prefix.length).split("/");
    // For a store that reports no time, the page shows 1970.
    return { version, path: path.join("/"), bytes, at: Number.isFinite(modifiedMs) ? modifiedMs : 0 };
  });
  const beside = new Map(objects.map(({ version, path, bytes }) => [`${version}/${path}`, bytes]));
  const latest = beside.has(`${LATEST}/`) ? await packs.get(prefix + LATEST) : null;
  const named = fieldsIn(Buffer.from(latest?.body ?? []).toString())["version"];
  const isThere = beside.has(`${named}/${sumsPathOf(String(named))}`);
  return [...Map.groupBy(objects, ({ version }) => version)]
    .map(([version, files]) => ({
      ...{ period, version, complete: isComplete(version), latest: version === named },
      isOlder: isThere && version !== named,
      sizes: new Map(files.map(({ path, bytes }) => [path, bytes])),
      madeAt: Math.max(...files.map(({ at }) => at)),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      zipBytes: beside.get(`${version}.zip/`) ?? null,
    }))
    .filter(({ version, sizes }) => sizes.has(sumsPathOf(version)))
    .sort((a, b) => Number(b.latest) - Number(a.latest) || b.madeAt - a.madeAt || compareText(b.version, a.version));
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

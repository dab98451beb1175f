import { isPackOwner } from "../core/account-name.ts";
import { compareText } from "../core/text.ts";
import { pointText } from "../core/verdict.ts";
import type { Check } from "../job/context.ts";
import type { Store } from "../storage/store.ts";
import { viewArchive } from "../web/data/archives.ts";
import { hashesOf, listInputs } from "../web/data/input-files.ts";
import { checksOf, missingVerdict, type Standing, standingsOf } from "../web/data/standing.ts";
import { newestOf, packPeriods, storeOf, versionsByPeriod } from "../web/data/versions.ts";
import type { AccountStores, PackEntry } from "../web/packs.ts";

/** A pack in the list, as the page shows it too. */
export interface ListedPack extends Standing {
  readonly account: string;
  readonly pack: PackEntry;
  /** A folder, or `s3://…`. */
  readonly dir: string;
  /** The last one that read it: since it was made, and where it is. */
  readonly check: Check | null;
}

/** Accounts and groups that have a folder in the store, sorted. */
export async function namesIn(store: Store): Promise<string[]> {
  return (await Array.fromAsync(store.folders(""))).filter(isPackOwner).sort(compareText);
}

/** The packs of one account. */
export interface PackList {
  /** By period, then newest first. */
  readonly packs: readonly ListedPack[];
  /** The line of each period whose only version is missing. */
  readonly gone: readonly string[];
}

/** Of each period only the newest complete version, or with `all` every version. */
export async function listPacks(stores: AccountStores, all: boolean): Promise<PackList> {
  const periods = await versionsByPeriod(stores, await packPeriods(stores));
  const versions = periods.flatMap((period) => period.versions);
  const shown = all ? versions : periods.flatMap((period) => newestOf(period) ?? []);
  const [archive, inputs] = await Promise.all([
    viewArchive(stores).catch(() => UNKNOWN), // status and verify say what is wrong with it
    listInputs(stores),
  ]);
  const now = { archive, inputs, hashOf: hashesOf(stores) };
  const standings = await standingsOf(stores, shown, versions, now);
  const packs: ListedPack[] = [];
  for (const [at, standing] of standings.entries()) {
    const pack = shown[at] as PackEntry; // one each
    const { account } = stores;
    const dir = `${storeOf(stores, pack.store).location}/${account}/packs/${pack.period}/${pack.version}`;
    const { files: check } = await checksOf(stores, archive.seq, pack);
    packs.push({ ...standing, account, pack, dir, check });
  }
  const gone = periods.filter(({ versions: own, latestGone }) => own.length === 0 && latestGone !== null);
  return { packs, gone: gone.map((period) => goneLine(stores.account, period)) };
}

const UNKNOWN = { seq: 0, restatements: null, skewMs: 0 };

/** That the version that counts is missing, and what to do. */
export function goneLine(account: string, { period, latestGone }: Pick<PackEntry, "period" | "latestGone">): string {
  return `${account} ${period}: ${missingVerdict(latestGone ?? "")
    .points.map(pointText)
    .join(" ")}`;
}

import { accountsIn, isAccountName, isPackOwner } from "../core/account-name.ts";
import { usageError } from "../core/errors.ts";
import { compareText } from "../core/text.ts";
import { pointText } from "../core/verdict.ts";
import { MAX_TOTAL_BYTES } from "../inputs/files.ts";
import type { Check } from "../job/context.ts";
import { checksOf } from "../job/inspect.ts";
import { SCHEMA } from "../job/settings.ts";
import type { Store } from "../storage/store.ts";
import { viewArchive } from "../web/data/archives.ts";
import { listInputs } from "../web/data/input-files.ts";
import { hashesOf } from "../web/data/inputs-since.ts";
import { collected } from "../web/data/map-concurrent.ts";
import { newestOf } from "../web/data/newest-pack.ts";
import { packsRead, sinceMade } from "../web/data/pack-checks.ts";
import { missingVerdict, type Standing, standingsOf } from "../web/data/standing.ts";
import { packPeriods, storeOf, versionsByPeriod } from "../web/data/versions.ts";
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

/** What was typed as `--account` where packs are looked for: an account, or a group as `fillbook packs` lists it. */
export function packOwner(typed: string): string {
  if (isPackOwner(typed)) {
    return typed;
  }
  const wrong = accountsIn(typed).find((name) => !isAccountName(name));
  if (wrong !== undefined) {
    SCHEMA.account.parse(wrong === "" ? typed : wrong, "--account");
  }
  throw usageError("--account names a group that is too long", "list the packs with their accounts: fillbook packs");
}

/** Accounts and groups that have a folder in the store, sorted. */
export async function namesIn(store: Store): Promise<string[]> {
  return (await collected(store.folders(""))).filter(isPackOwner).sort(compareText);
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
  const shown = all ? versions : periods.flatMap((period) => newestOf(period.versions) ?? []);
  const [archive, inputs] = await Promise.all([
    viewArchive(stores).catch(() => UNKNOWN), // status and verify say what is wrong with it
    listInputs(stores),
  ]);
  const now = { archive, inputs, hashOf: hashesOf(stores, MAX_TOTAL_BYTES) };
  const standings = await standingsOf(stores, shown, versions, now);
  const packs: ListedPack[] = [];
  for (const [at, standing] of standings.entries()) {
    const pack = shown[at] as PackEntry; // one each
    const { account } = stores;
    const dir = `${storeOf(stores, pack.store).location}/${account}/packs/${pack.period}/${pack.version}`;
    packs.push({ ...standing, account, pack, dir, check: await checkOf(stores, pack) });
  }
  const gone = periods.filter(({ versions: own, latestGone }) => own.length === 0 && latestGone !== null);
  return { packs, gone: gone.map((period) => goneLine(stores.account, period)) };
}

const UNKNOWN = { restatements: null, skewMs: 0 };

/** That the version that counts is missing, and what to do. */
export function goneLine(account: string, { period, latestGone }: Pick<PackEntry, "period" | "latestGone">): string {
  return `${account} ${period}: ${missingVerdict(latestGone ?? "")
    .points.map(pointText)
    .join(" ")}`;
}

async function checkOf(stores: AccountStores, pack: PackEntry): Promise<Check | null> {
  const { account, store } = stores;
  const { files } = await checksOf({ account, store }, { period: pack.period, ...packsRead(stores, pack.store) });
  return sinceMade(files, pack);
}

import { readHead } from "../../archive/head.ts";
import { headKey } from "../../archive/keys.ts";
import type { RestatementFile } from "../../archive/manifest.ts";
import { loadArchive } from "../../archive/read.ts";
import { isAccountName, isPackOwner } from "../../core/account-name.ts";
import { union } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import { assumedOf } from "../../pack/catalogue/completeness.ts";
import type { Assumed } from "../../pack/make/maker.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";
import { packPeriods } from "./versions.ts";

const READS_AT_ONCE = 32;

export interface ArchiveView {
  readonly account: string;
  /** Read twice: sorted, disjoint, half-open. Empty before the first second reading. */
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  /** The number of the manifest; 0 before the first. */
  readonly seq: number;
  /** Time of the first trade, ms UTC; null if there is no fill. */
  readonly firstTrade: number | null;
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  readonly assumed: Assumed;
  /** The widest distance between the two times of a fill, ms. */
  readonly skewMs: number;
  /** The files of late and changed fills; null if there is no archive. */
  readonly restatements: readonly RestatementFile[] | null;
}

/** The accounts that have an archive, sorted. */
export async function accountsIn(store: Store): Promise<string[]> {
  const names = (await Array.fromAsync(store.folders(""))).filter(isAccountName);
  const heads = await mapConcurrent(names, READS_AT_ONCE, (name) => store.get(headKey(name)));
  return names.filter((_, at) => heads[at] !== null).sort(compareText);
}

/** The folders with packs of several accounts, which have no archive, sorted. */
export async function groupsIn(packs: Store, archives: Store): Promise<string[]> {
  const accounts = await accountsIn(archives);
  const names = (await Array.fromAsync(packs.folders(""))).filter((one) => isPackOwner(one) && !accounts.includes(one));
  const periods = await mapConcurrent(names, READS_AT_ONCE, (account) => packPeriods({ account, packs }));
  return names.filter((_, at) => periods[at]?.length !== 0);
}

/** What the archive holds, and how the last run ended. It sends nothing to the service. */
export async function viewArchive({ store, account }: AccountStores): Promise<ArchiveView> {
  const head = (await readHead(store, account))?.head ?? null;
  const { manifest } = await loadArchive(store, account, head);
  const { coverage, dataFiles, fills, known, restatements } = manifest;
  return {
    account,
    coverage: union(coverage.filter(({ readings }) => readings === 2)),
    fills,
    seq: manifest.seq,
    firstTrade: dataFiles.reduce<number | null>(
      (first, file) => Math.min(first ?? Number.POSITIVE_INFINITY, file.firstTrade),
      null,
    ),
    lastRun: head?.lastRun ?? null,
    assumed: assumedOf(coverage, known),
    skewMs: known.skewMs,
    restatements: head === null ? null : restatements,
  };
}

import { modifiedMsOf } from "../../archive/age.ts";
import { type Head, readHead } from "../../archive/head.ts";
import { headKey } from "../../archive/keys.ts";
import type { RestatementFile } from "../../archive/manifest-entries.ts";
import { loadArchive } from "../../archive/read.ts";
import { isAccountName } from "../../core/account-name.ts";
import { compareText } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores } from "../packs.ts";
import { collected, mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 32;

export interface ArchiveView {
  readonly account: string;
  /** Sorted, apart, half-open. Empty: nothing was walked yet. */
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  /** Time of the first trade, ms UTC; null: there is no fill. */
  readonly firstTrade: number | null;
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  /** A run holds the archive now. */
  readonly busy: boolean;
  /** The widest distance between the two times of a fill, ms. */
  readonly maxSkewMs: number;
  /** Where it keeps what came late or changed in a time, oldest first; null: there is no archive. */
  readonly restatements: ((range: TimeRange) => Promise<readonly RestatementFile[]>) | null;
}

/** Accounts that have an archive, sorted. */
export async function accountsIn(store: Store): Promise<string[]> {
  const names = (await collected(store.folders(""))).filter(isAccountName);
  const heads = await mapConcurrent(names, READS_AT_ONCE, (name) => store.get(headKey(name)));
  return names.filter((_, at) => heads[at] !== null).sort(compareText);
}

/** What the archive holds, and how the last run went; asks nothing of the service. `now`: ms UTC. */
export async function viewArchive({ store, account }: AccountStores, now: () => number): Promise<ArchiveView> {
  const held = await readHead(store, account);
  const lease = held?.head.lease ?? null;
  const [{ manifest, manifestIndex }, busy] = await Promise.all([
    loadArchive(store, account, held?.head ?? null),
    lease === null ? false : isWritten(store, account, lease, now),
  ]);
  const lastRun = held?.head.lastRun ?? null;
  const { coverage, fills, maxSkewMs } = manifest;
  const restatements = async (range: TimeRange) =>
    (await manifestIndex.restatements(range)).toSorted((a, b) => a.seq - b.seq);
  const { firstTrade } = manifestIndex.sum;
  const kept = held === null ? null : restatements;
  return { account, coverage, fills, firstTrade, lastRun, busy, maxSkewMs, restatements: kept };
}

/** A run writes the head at least every third of its lease; one that was killed leaves its lease behind, and writes no more. */
async function isWritten(
  store: Store,
  account: string,
  { ttlMs }: NonNullable<Head["lease"]>,
  now: () => number,
): Promise<boolean> {
  const writtenAt = await modifiedMsOf(store, headKey(account));
  return writtenAt !== null && now() < writtenAt + ttlMs;
}

import { modifiedMsOf } from "../../archive/age.ts";
import { missingBeforeBeginning } from "../../archive/before-beginning.ts";
import { type Head, readHead } from "../../archive/head.ts";
import { headKey } from "../../archive/keys.ts";
import type { RestatementFile } from "../../archive/manifest-entries.ts";
import { loadArchive } from "../../archive/read.ts";
import { isAccountName } from "../../core/account-name.ts";
import { union } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores, Assumptions } from "../packs.ts";
import { collected, mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 32;

export interface ArchiveView {
  readonly account: string;
  /** Sorted, disjoint, half-open. Empty before the first walk. */
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  /** The number of the manifest; 0 before the first. */
  readonly seq: number;
  /** Time of the first trade, ms UTC; null if there is no fill. */
  readonly firstTrade: number | null;
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  /** True while a run holds the archive's lease. */
  readonly busy: boolean;
  readonly assumptions: Assumptions;
  /** Time of the earliest fill that the service showed before `BEGINNING_MS` and that is missing, ms UTC. */
  readonly missingBefore: number | null;
  /** The widest distance between the two times of a fill, ms. */
  readonly maxSkewMs: number;
  /** Files of the late and changed fills of a range, oldest first; null if there is no archive. */
  readonly restatements: ((range: TimeRange) => Promise<readonly RestatementFile[]>) | null;
}

/** The accounts that have an archive, sorted. */
export async function accountsIn(store: Store): Promise<string[]> {
  const names = (await collected(store.folders(""))).filter(isAccountName);
  const heads = await mapConcurrent(names, READS_AT_ONCE, (name) => store.get(headKey(name)));
  return names.filter((_, at) => heads[at] !== null).sort(compareText);
}

/** What the archive holds, and how the last run ended. It sends nothing to the service. `now`: ms UTC. */
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
  const seq = held?.head.manifest?.seq ?? 0;
  const { assumed = [], datesTrusted } = manifest.checkpoint;
  const assumptions = { assumed: union(assumed).length, isUndated: fills > 0 && !datesTrusted };
  const missingBefore = missingBeforeBeginning(manifest);
  const state = { lastRun, busy, assumptions, missingBefore };
  return { account, coverage, fills, seq, firstTrade, ...state, maxSkewMs, restatements: kept };
}

/**
 * True if a run is alive. A run writes the head at least every third of its lease; a killed run leaves its
 * lease in the head but no longer writes it.
 */
async function isWritten(
  store: Store,
  account: string,
  { ttlMs }: NonNullable<Head["lease"]>,
  now: () => number,
): Promise<boolean> {
  const writtenAt = await modifiedMsOf(store, headKey(account));
  return writtenAt !== null && now() < writtenAt + ttlMs;
}

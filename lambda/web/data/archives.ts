import { modifiedMsOf } from "../../archive/age.ts";
import { type Head, readHead } from "../../archive/head.ts";
import { headKey } from "../../archive/keys.ts";
import { loadArchive } from "../../archive/read.ts";
import { compareText } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { ArchiveView } from "../ports.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const ACCOUNT = /^[a-z0-9-]{1,32}$/;
const READS_AT_ONCE = 32;

/** Accounts that have an archive, sorted. */
export async function accountsIn(store: Store): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.folders("")) {
    if (ACCOUNT.test(name)) {
      names.push(name);
    }
  }
  const heads = await mapConcurrent(names, READS_AT_ONCE, (name) => store.get(headKey(name)));
  return names.filter((_, at) => heads[at] !== null).sort(compareText);
}

/** What the archive holds, and how the last run went; asks nothing of the service. `now`: ms UTC. */
export async function viewArchive(store: Store, account: string, now: () => number): Promise<ArchiveView> {
  const held = await readHead(store, account);
  const lease = held?.head.lease ?? null;
  const [{ manifest, manifestIndex }, busy] = await Promise.all([
    loadArchive(store, account, held?.head ?? null),
    lease === null ? false : isWritten(store, account, lease, now),
  ]);
  const lastRun = held?.head.lastRun ?? null;
  const { coverage, fills } = manifest;
  const restatements = async (range: TimeRange) =>
    (await manifestIndex.restatements(range)).toSorted((a, b) => a.seq - b.seq);
  return { account, coverage, fills, lastRun, busy, restatements: held === null ? null : restatements };
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

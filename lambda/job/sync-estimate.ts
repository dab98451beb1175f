import type { Head } from "../archive/head.ts";
import { readNewestHead } from "../archive/newest-head.ts";
import { loadArchive } from "../archive/read.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { intersection, subtract, union } from "../core/ranges.ts";
import { SECOND_MS, type TimeRange } from "../core/time.ts";
import type { RunContext } from "./context.ts";
import { planRecheck } from "./recheck.ts";
import { lookBackOf } from "./sync-archive.ts";

/** What a sync would ask the service for now. */
export interface WalkPlan {
  /** Not in the archive yet. */
  readonly lacking: readonly TimeRange[];
  /** In it, and walked again. */
  readonly again: readonly TimeRange[];
  /** One for each range, and one for each full page of the fills that are known there. */
  readonly leastRequests: number;
  /** Requests a second that the service took last, or that the settings allow; null: not known. */
  readonly ratePerSecond: number | null;
}

/** Rows of a full page, by the interface. */
const PAGE_ROWS = 100;

/** How long so many requests take at the plan's rate, ms; null: the rate is not known. */
export function timeFor(requests: number, { ratePerSecond }: Pick<WalkPlan, "ratePerSecond">): number | null {
  return ratePerSecond === null ? null : (requests * SECOND_MS) / ratePerSecond;
}

/** Asks the service nothing. `maxRps`: the user's own bound; null: none. */
export async function planSync(job: RunContext, maxRps: number | null): Promise<WalkPlan> {
  const head = await readNewestHead(job.store, job.account);
  const archive = await loadArchive(job.store, job.account, head);
  const now = job.clock.now();
  const latest = now - job.settleLagMs;
  const lacking = subtract({ from: BEGINNING_MS, to: latest }, archive.manifest.coverage);
  const recheck = await planRecheck(archive, lookBackOf(job, { now, latest }));
  const again = union(recheck?.again ?? []);
  let leastRequests = lacking.length;
  for (const range of again) {
    leastRequests += Math.max(1, Math.ceil((await rowsIn(archive.manifestIndex, range)) / PAGE_ROWS));
  }
  return { lacking, again, leastRequests, ratePerSecond: rateOf(head, maxRps) };
}

/** Rows of a file that is only partly in the range count by their share of its time. */
async function rowsIn(
  index: Awaited<ReturnType<typeof loadArchive>>["manifestIndex"],
  range: TimeRange,
): Promise<number> {
  let rows = 0;
  for (const file of await index.dataFiles(range)) {
    const shared = intersection(range, [file]).reduce((sum, { from, to }) => sum + to - from, 0);
    rows += (file.rows * shared) / (file.to - file.from);
  }
  return rows;
}

/** Requests a second; null: the service has never refused one, and the user has set no bound. */
function rateOf(head: Head | null, maxRps: number | null): number | null {
  const learned = head?.learned?.ratePerSecond ?? null;
  const rates = [learned, maxRps].filter((rate) => rate !== null);
  return rates.length === 0 ? null : Math.min(...rates);
}

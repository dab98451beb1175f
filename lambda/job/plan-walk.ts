import { readNewestHead } from "../archive/newest-head.ts";
import { loadArchive, type Snapshot } from "../archive/read.ts";
import { rowsIn } from "../archive/rows-in.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import type { Period } from "../core/period.ts";
import { firstMargin } from "../core/period-margin.ts";
import { intersection, subtract, union, width } from "../core/ranges.ts";
import { DAY_MS, SECOND_MS, type TimeRange } from "../core/time.ts";
import { readInputs } from "../inputs/inputs.ts";
import type { RunContext, SyncRequest } from "./context.ts";
import { type ExportRequest, historyBegins, inputsSource } from "./export-pack.ts";
import { planRecheck, wholeRecheck } from "./recheck.ts";
import { lookBackOf } from "./sync-archive.ts";

/** Rows of a full page (service-interface.md, 8). */
const PAGE_ROWS = 100;
/** The newest covered time from which the density of fills is estimated. */
const DENSITY_MS = 30 * DAY_MS;

/** What a run would walk, as far as the archive shows. Nothing was asked or written. */
export interface WalkPlan {
  readonly account: string;
  readonly store: string;
  /** True if the store has no archive of the account, so that the run would create one. */
  readonly isNew: boolean;
  /** Times that are not covered yet. */
  readonly lacking: readonly TimeRange[];
  /** Covered times that would be rechecked. */
  readonly rechecks: readonly TimeRange[];
  /** One request per range. Where covered times are rechecked: at least one per page of known fills. */
  readonly leastRequests: number;
  /**
   * Assumes that the missing times are as dense as the archive's newest 30 days. Null: the archive has none.
   */
  readonly likelyRequests: number | null;
  /** Requests a second that the service accepted last, or that the settings allow. Null: not known. */
  readonly ratePerSecond: number | null;
}

/** How long the requests take at the plan's rate, ms. Null: the rate is not known. */
export function timeFor(requests: number, { ratePerSecond }: Pick<WalkPlan, "ratePerSecond">): number | null {
  return ratePerSecond === null ? null : (requests * SECOND_MS) / ratePerSecond;
}

/** What `syncArchive` would walk. `maxRps` null: no limit is set. */
export async function planSync(job: RunContext, request: SyncRequest, maxRps: number | null): Promise<WalkPlan> {
  const latest = job.clock.now() - job.settleLagMs;
  const range = { from: request.from ?? BEGINNING_MS, to: Math.min(request.to ?? latest, latest) };
  const opened = await openArchive(job);
  const lookBack = lookBackOf(job, { now: job.clock.now(), latest }, request.to === undefined ? undefined : range);
  const planned = await planRecheck(opened.archive, lookBack);
  const recheck = request.rechecksAll === true ? wholeRecheck(opened.archive.manifest, planned, range) : planned;
  return await planOf(job, opened, { ranges: [range], rechecks: recheck?.rechecks ?? [], maxRps });
}

/** What `exportPack` would walk: the period with its margin, and the history that its accounts need. */
export async function planExport(
  job: RunContext,
  request: ExportRequest,
  maxRps: number | null,
): Promise<WalkPlan & { readonly historyFrom: number }> {
  const { period } = request;
  const inputs = await readInputs(inputsSource(job.account, request, job.store), period.zone);
  const historyFrom = historyBegins(inputs);
  const latest = job.clock.now() - job.settleLagMs;
  const opened = await openArchive(job);
  const ranges = [around(period, latest), { from: historyFrom, to: period.from }].filter(({ from, to }) => from < to);
  const rechecks: TimeRange[] = [];
  for (const range of ranges) {
    const lookBack = lookBackOf(job, { now: job.clock.now(), latest }, range);
    rechecks.push(...((await planRecheck(opened.archive, lookBack))?.rechecks ?? []));
  }
  return { ...(await planOf(job, opened, { ranges, rechecks, maxRps })), historyFrom };
}

function around(period: Period, latest: number): TimeRange {
  const margin = firstMargin(period);
  return { from: Math.max(BEGINNING_MS, period.from - margin), to: Math.min(period.to + margin, latest) };
}

interface Opened {
  readonly archive: Snapshot;
  readonly isNew: boolean;
  readonly ratePerSecond: number | null;
}

async function openArchive({ store, account }: RunContext): Promise<Opened> {
  const head = await readNewestHead(store, account);
  const archive = await loadArchive(store, account, head);
  return { archive, isNew: head === null, ratePerSecond: head?.learned?.ratePerSecond ?? null };
}

async function planOf(
  { account, store }: RunContext,
  { archive: { manifest, manifestIndex }, isNew, ratePerSecond }: Opened,
  asked: {
    readonly ranges: readonly TimeRange[];
    readonly rechecks: readonly TimeRange[];
    readonly maxRps: number | null;
  },
): Promise<WalkPlan> {
  const lacking = union(asked.ranges).flatMap((range) => subtract(range, manifest.coverage));
  const rechecks = union(asked.rechecks).flatMap((range) => intersection(range, manifest.coverage));
  const known = await rowsIn(manifestIndex, rechecks);
  const pages = Math.ceil(known / PAGE_ROWS);
  const newest = manifest.coverage.at(-1);
  const recent = newest === undefined ? [] : [{ from: Math.max(newest.from, newest.to - DENSITY_MS), to: newest.to }];
  const density = newest === undefined ? null : (await rowsIn(manifestIndex, recent)) / Math.max(1, width(recent));
  const { maxRps } = asked;
  return {
    account,
    store: store.location,
    isNew,
    lacking,
    rechecks,
    leastRequests: lacking.length + Math.max(rechecks.length, pages),
    likelyRequests:
      density === null
        ? null
        : Math.ceil((density * width(lacking)) / PAGE_ROWS) + lacking.length + Math.max(rechecks.length, pages),
    ratePerSecond: ratePerSecond === null ? maxRps : Math.min(ratePerSecond, maxRps ?? Number.POSITIVE_INFINITY),
  };
}

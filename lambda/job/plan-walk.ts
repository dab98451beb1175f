import type { Manifest } from "../archive/manifest.ts";
import { fillsIn, readNewestArchive, requireDataFiles } from "../archive/read.ts";
import { union, width } from "../core/ranges.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../core/time.ts";
import { readInputs } from "../inputs/inputs.ts";
import type { RunContext, SyncRequest } from "./context.ts";
import { type ExportRequest, inputsSource } from "./export-pack.ts";
import { exportJob, exportRange, historyBegins, type RunPlan, runPlan } from "./reading-plan.ts";

/** Rows of a full page (service-interface.md, 8). */
const PAGE_ROWS = 100;
/** The newest covered time from which the density of fills is estimated. */
const DENSITY_MS = 30 * DAY_MS;

/** What a run would read, as far as the archive shows. Nothing was asked or written. */
export interface WalkPlan {
  readonly account: string;
  readonly store: string;
  /** True if the store has no archive of the account, so that the run would create one. */
  readonly isNew: boolean;
  /** Times that were never read. */
  readonly lacking: readonly TimeRange[];
  /** Times that wait for their second reading. */
  readonly waiting: readonly TimeRange[];
  /** Times that were read twice, and would be read again. */
  readonly rechecks: readonly TimeRange[];
  /** One request per range and reading. Where times are read again: at least one per page of known fills. */
  readonly leastRequests: number;
  /**
   * Assumes that the missing times are as dense as the archive's newest 30 days. Null: the archive has none.
   */
  readonly likelyRequests: number | null;
  /** Requests a second that the service accepted last, or that the settings allow. Null: not known. */
  readonly ratePerSecond: number | null;
}

/** What `syncArchive` would read. `maxRps` null: no limit is set. */
export async function planSync(job: RunContext, request: SyncRequest, maxRps: number | null): Promise<WalkPlan> {
  const latest = job.clock.now() - job.settleLagMs;
  const range = { from: request.from ?? BEGINNING_MS, to: Math.min(request.to ?? latest, latest) };
  const opened = await openArchive(job);
  const plan = runPlan(job, opened.manifest, range, request.rechecksAll);
  const isOnce = request.pace === "once";
  return planOf(job, opened, isOnce ? { ...plan, waiting: [], again: [], rotation: null } : plan, { isOnce, maxRps });
}

/** What `exportPack` would read: the period with its margin, and the history that its accounts need. */
export async function planExport(
  job: RunContext,
  request: ExportRequest,
  maxRps: number | null,
): Promise<WalkPlan & { readonly historyFrom: number }> {
  const { period } = request;
  const inputs = await readInputs(inputsSource(job.account, request, job.store), period.zone);
  const latest = job.clock.now() - job.settleLagMs;
  const needed = { period, historyFrom: historyBegins(inputs), latest };
  const opened = await openArchive(job);
  const { manifest } = opened;
  const range = exportRange(needed, manifest.known);
  const plan = runPlan(exportJob(job, manifest.known, needed, range), manifest, {
    from: range.from,
    to: Math.min(range.to, latest),
  });
  return { ...planOf(job, opened, plan, { isOnce: false, maxRps }), historyFrom: needed.historyFrom };
}

interface Opened {
  readonly manifest: Manifest;
  readonly isNew: boolean;
  readonly ratePerSecond: number | null;
}

async function openArchive({ store, account }: RunContext): Promise<Opened> {
  const { held, manifest } = await readNewestArchive(store, account);
  await requireDataFiles(store, manifest);
  return { manifest, isNew: held === null, ratePerSecond: held?.head.learned?.ratePerSecond ?? null };
}

function planOf(
  { account, store }: RunContext,
  { manifest, isNew, ratePerSecond }: Opened,
  { first, waiting, again, rotation }: RunPlan,
  { isOnce, maxRps }: { readonly isOnce: boolean; readonly maxRps: number | null },
): WalkPlan {
  const rechecks = union([...again, ...(rotation === null ? [] : [rotation])]);
  const readings = isOnce ? 1 : 2;
  const leastRequests = first.length * readings + leastOf(manifest, waiting) + leastOf(manifest, rechecks);
  const newest = manifest.coverage.at(-1)?.to;
  const recent = newest === undefined ? null : { from: newest - DENSITY_MS, to: newest };
  const density = recent === null ? null : fillsIn(manifest, [recent]) / DENSITY_MS;
  return {
    account,
    store: store.location,
    isNew,
    lacking: first,
    waiting,
    rechecks,
    leastRequests,
    likelyRequests:
      density === null ? null : Math.ceil((density * width(first) * readings) / PAGE_ROWS) + leastRequests,
    ratePerSecond: ratePerSecond === null ? maxRps : Math.min(ratePerSecond, maxRps ?? Number.POSITIVE_INFINITY),
  };
}

/** The least requests that read known times again. */
function leastOf(manifest: Manifest, ranges: readonly TimeRange[]): number {
  return Math.max(ranges.length, Math.ceil(fillsIn(manifest, ranges) / PAGE_ROWS));
}

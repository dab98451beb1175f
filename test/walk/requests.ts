import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncRequest } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { createEmulator } from "../emulator/core.ts";
import { type History, makeHistory } from "../emulator/history.ts";
import type { Density } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";
import { freshClient } from "../support/client-job.ts";
import { makeBench } from "../support/job.ts";

/** The four shapes of a one-year account in the reference. */
export const SHAPES: readonly Density[] = ["uniform", "ramp", "zipf-days", "bursts"];
export const ORDERS: readonly Switches["order"][] = ["descending", "ascending", "unordered", "shuffled-pages"];
/** The time for one page by the virtual clock, ms. */
export const PAGE_MS = 50;

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

export interface Cost {
  /** Of each sync. */
  readonly requests: readonly number[];
  /** The first sync's time by the virtual clock, without the pause between its readings, ms. */
  readonly ms: number;
  /** Whether every fill is in the archive and every sync reports that it is complete. */
  readonly isWhole: boolean;
}

/** Syncs of one account, a day apart. The service has no limit, but the limiter does not know that. */
export async function costOf(
  history: History,
  options: {
    readonly workers: number;
    readonly request?: SyncRequest;
    readonly switches?: Partial<Switches>;
    readonly job?: Partial<RunContext>;
    readonly nights?: number;
  },
): Promise<Cost> {
  const { workers, request = {}, switches, job: more, nights = 0 } = options;
  const emulator = createEmulator({ history, switches: { latency: { ms: PAGE_MS, jitterMs: 0 }, ...switches } });
  const { job, clock } = makeBench({ emulator, job: { concurrency: workers, ...more } });
  const reader = freshClient(emulator, { ...job, clock });
  const requests: number[] = [];
  const began = clock.now();
  let isWhole = true;
  let ms = 0;
  for (let night = 0; night <= nights; night += 1) {
    const before = reader.counts.requests;
    const settled = emulator.truth(clock.now() - job.settleLagMs).size;
    const result = await syncArchive({ ...job, reader }, { pace: "hurry", ...request });
    requests.push(reader.counts.requests - before);
    ms = night === 0 ? clock.now() - began : ms;
    // Rows that appear meanwhile may be among them.
    isWhole &&= result.complete && settled <= result.fills && result.fills <= emulator.truth(clock.now()).size;
    await clock.sleep(DAY_MS);
  }
  return { requests, ms, isWhole };
}

export interface Account {
  readonly fills: number;
  readonly workers: number;
  readonly shape: Density;
  readonly order: Switches["order"];
  readonly seed: number;
}

/** A year with both ends given, from nothing: one reading or both, as a multiple of the least requests. */
export async function ratioOf(
  { fills, workers, shape, order, seed }: Account,
  pace: "once" | "hurry",
): Promise<Cost & { readonly ratio: number }> {
  const history = makeHistory({ seed, fills, ...YEAR, density: shape });
  const cost = await costOf(history, { workers, switches: { order }, request: { ...YEAR, pace } });
  return { ...cost, ratio: (cost.requests[0] ?? 0) / Math.ceil(fills / 100) };
}

import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { createLimiter } from "../../../lambda/service/limiter.ts";
import type { PageRequest, ServiceReader } from "../../../lambda/service/service.ts";
import { createEmulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { Density } from "../../emulator/history-plan.ts";
import type { Switches } from "../../emulator/switches.ts";
import { inProcessReader, makeBench } from "../../support/job.ts";

/** The four shapes of a one-year account in the reference. */
export const SHAPES: readonly Density[] = ["uniform", "ramp", "zipf-days", "bursts"];
export const ORDERS: readonly Switches["order"][] = ["descending", "ascending", "unordered", "shuffled-pages"];
/** The time for one page by the virtual clock, ms. */
export const PAGE_MS = 50;

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2026, 0, 1);

export interface Account {
  readonly fills: number;
  readonly workers: number;
  readonly shape: Density;
  readonly order: Switches["order"];
  readonly seed: number;
}

export interface Cost {
  readonly requests: number;
  /** Requests divided by the least possible number: one request per hundred fills. */
  readonly ratio: number;
  /** time by the virtual clock, ms */
  readonly ms: number;
  /** Whether every fill is in the archive and the run reports that it is complete. */
  readonly isWhole: boolean;
}

/**
 * Walks a year with both ends given, from nothing. The service has no limit, but the limiter does not know
 * that.
 */
export async function costOf({ fills, workers, shape, order, seed }: Account): Promise<Cost> {
  const history = makeHistory({ seed, fills, from: FROM, to: TO, density: shape });
  const emulator = createEmulator({ seed, history, switches: { order, latency: { ms: PAGE_MS, jitterMs: 0 } } });
  const { job, clock } = makeBench({ emulator, job: { concurrency: workers } });
  const limiter = createLimiter({ clock, random: job.random, concurrency: workers, maxRps: null });
  const plain = inProcessReader(emulator, clock);
  const reader: ServiceReader = {
    ...plain,
    hasRoom: () => limiter.hasRoom(),
    async completedOrders(request: PageRequest, signal: AbortSignal) {
      const permit = await limiter.acquire(signal);
      try {
        const answer = await plain.completedOrders(request, signal);
        permit.release({ kind: "answered", quota: null });
        return answer;
      } catch (error) {
        permit.release({ kind: "failed" });
        throw error;
      }
    },
  };
  const began = clock.now();
  const result = await syncArchive({ ...job, reader }, { from: FROM, to: TO });
  return {
    requests: result.requests,
    ratio: result.requests / Math.ceil(fills / 100),
    ms: clock.now() - began,
    isWhole: result.complete && result.fills === fills,
  };
}

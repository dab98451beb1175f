import type { RunContext } from "../../lambda/job/context.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../emulator/core.ts";
import { unlimitedClient } from "./client-job.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryStore } from "./memory-store.ts";
import { countedIds } from "./prng.ts";

export type Bench = ReturnType<typeof makeBench>;

/** Wall time at which the runs of a test begin. */
export const NOW = Date.UTC(2026, 1, 1);

/**
 * A job against the emulator in this process, on virtual time. It uses a memory store unless the test gives
 * another.
 */
export function makeBench(options: EmulatorOptions & { job?: Partial<RunContext>; emulator?: Emulator } = {}) {
  const clock = fakeClock({ now: NOW, auto: true });
  const emulator = options.emulator ?? createEmulator(options);
  const newId = countedIds();
  const job: RunContext = {
    account: "main",
    reader: unlimitedClient(emulator, clock),
    store: memoryStore(),
    packStore: null,
    clock,
    random: { next: () => 0.5, id: () => `${newId()}-${Math.abs(clock.now())}` },
    settleLagMs: 0,
    lookBackMs: 0,
    concurrency: 4,
    signal: new AbortController().signal,
    report: () => undefined,
    ...options.job,
  };
  return { job, emulator, clock };
}

/** The job with a service that gives no fills, but this error. */
export function away(job: RunContext, error: Error): RunContext {
  return { ...job, reader: { ...job.reader, completedOrders: () => Promise.reject(error) } };
}

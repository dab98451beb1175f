import { asFillbookError, EXIT_CODES, type FillbookError } from "../../lambda/core/errors.ts";
import type { RunContext, SyncRequest } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { HistoryOptions } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";
import { audit } from "./auditor.ts";
import { freshClient } from "./client-job.ts";
import { makeBench } from "./job.ts";

export interface LosslessOptions {
  readonly history: HistoryOptions;
  readonly switches?: Partial<Switches>;
  /** The values of `--from` and `--to`, ms UTC. Default: neither is given. */
  readonly range?: SyncRequest;
  readonly job?: Partial<RunContext>;
}

/** One sync, and its archive compared with the service. */
export interface Lossless {
  readonly complete: boolean;
  /** Why it ended, as the exit code tells it; null: no problem. */
  readonly kind: FillbookError["kind"] | null;
  readonly exitCode: number;
  /** "" if there is none */
  readonly message: string;
  readonly hint: string;
  /** Fills of covered times (by their true time) that no data file holds. */
  readonly lost: number;
  /** Fills that data files hold twice. */
  readonly doubled: number;
  /** Fills in data files that the service does not have. */
  readonly invented: number;
  /** Fills held. */
  readonly rows: number;
  readonly requests: number;
}

/**
 * Syncs an account once and compares the data files with `emulator.truth()`. It uses the program's own client
 * (with retries and limiter), virtual time and a memory store.
 */
export async function syncAndCompare({ history, switches = {}, range = {}, job }: LosslessOptions): Promise<Lossless> {
  const emulator = createEmulator({ seed: history.seed, history: makeHistory(history), switches });
  const bench = makeBench({ emulator, ...(job === undefined ? {} : { job }) });
  const reader = freshClient(emulator, { ...bench.job, clock: bench.clock });
  let complete = false;
  let problem: FillbookError | null;
  try {
    ({ complete, problem } = await syncArchive({ ...bench.job, reader, ...job }, range));
  } catch (error) {
    problem = asFillbookError(error);
  }
  const { lost, doubled, invented, rows } = await audit(bench.job.store, bench.job.account, emulator.truth());
  return {
    complete,
    kind: problem?.kind ?? null,
    exitCode: problem === null ? 0 : EXIT_CODES[problem.kind],
    message: problem?.message ?? "",
    hint: problem?.hint ?? "",
    lost: lost.length,
    doubled: doubled.length,
    invented: invented.length,
    rows,
    requests: emulator.log.completedOrders.length,
  };
}

import { type FillbookError, StoppedError, TooLongError, WaitError } from "../core/errors.ts";
import type { Period } from "../core/period.ts";
import { count, counted } from "../core/text.ts";
import { SECOND_MS } from "../core/time.ts";
import { countFillsRead, type FillsRead } from "../pack/build/fills-read.ts";
import type { PackRequest } from "../pack/build/request.ts";
import type { RunContext } from "./context.ts";

/**
 * The time that a pack takes per fill that it reads, µs. `period`: of the slowest pack measured
 * (test/programs/pack-limit.test.ts checks it). `history`: for fills before the period, which only go through
 * the accounts; measured 12 (DECISIONS.md), with the same headroom as the period's figure.
 */
export const PACK_MICROSECONDS: Readonly<FillsRead> = { period: 76, history: 20 };
const MICROSECONDS_A_MS = 1000;

/**
 * A run that has used less than this share of its time has hardly begun: the next run would have no more
 * time.
 */
const HARDLY_BEGUN = 0.1;

type Timed = Pick<RunContext, "timeLeftMs" | "sliceMs">;
type Planned = Pick<PackRequest, "manifest" | "manifestIndex" | "period" | "basis" | "beginning">;

/**
 * Rejects before a pack is begun that cannot be finished in the time left: with a TooLongError if another run
 * of this length could not make it either, with a WaitError if the next run can.
 */
export async function requirePackTime(job: Timed, request: Planned): Promise<void> {
  const { timeLeftMs, sliceMs } = job;
  if (timeLeftMs === undefined || sliceMs === undefined) {
    return;
  }
  const read = await countFillsRead(request);
  const takesMs = packMs(read);
  const leftMs = timeLeftMs();
  if (takesMs <= leftMs) {
    return;
  }
  const fills = read.period + read.history;
  if (takesMs > sliceMs || leftMs > sliceMs * (1 - HARDLY_BEGUN)) {
    throw new TooLongError(
      `the pack of ${request.period.name} reads ${counted(fills, "fill")}, but a run of ${Math.round(sliceMs / SECOND_MS)} seconds has time for about ${count(fillsIn(sliceMs))} of a period`,
      { fills, hint: SHORTER },
    );
  }
  throw new WaitError(`the pack of ${request.period.name} needs more time than this run has left`, {
    waitMs: 0,
    hint: "what was read is kept; the next run makes the pack",
  });
}

/** The hint for deployments that do not make large packs as tasks. */
const SHORTER = "export shorter periods, or use the command line";

/** The number of a period's fills that fit into a pack in this time. */
export function fillsIn(ms: number): number {
  return Math.floor((ms * MICROSECONDS_A_MS) / PACK_MICROSECONDS.period);
}

function packMs({ period, history }: FillsRead): number {
  return (period * PACK_MICROSECONDS.period + history * PACK_MICROSECONDS.history) / MICROSECONDS_A_MS;
}

/**
 * Wraps `read` so that it throws once the signal aborts. The pack then ends, and nothing of it is visible.
 */
export function untilStopped<Named, Content>(
  job: Pick<RunContext, "signal" | "sliceMs">,
  period: Pick<Period, "name">,
  read: (named: Named) => Promise<Content>,
): (named: Named) => Promise<Content> {
  return async (named) => {
    if (job.signal.aborted) {
      throw stopped(job, period);
    }
    return await read(named);
  };
}

/** With a deadline, the run had the calculated time already, so another run would not succeed either. */
function stopped({ sliceMs }: Timed, { name }: Pick<Period, "name">): FillbookError {
  const message = `the pack of ${name} was not finished when the run had to end; none of it was written`;
  return sliceMs === undefined ? new StoppedError(message) : new TooLongError(message, { fills: null, hint: SHORTER });
}

import { type FillbookError, StoppedError, TooLongError, WaitError } from "../core/errors.ts";
import type { Period } from "../core/period.ts";
import { count, counted } from "../core/text.ts";
import { SECOND_MS } from "../core/time.ts";
import { countFillsRead, type FillsRead } from "../pack/build/fills-read.ts";
import type { PackRequest } from "../pack/build/request.ts";
import type { RunContext } from "./context.ts";

/**
 * What a pack takes for each fill that it reads, µs. `period`: of the slowest pack that was measured
 * (test/programs/pack-limit.test.ts holds it). `history`: of fills before the period, which are led through
 * the accounts only; 12 were measured (DECISIONS.md), with the headroom that the period's figure has.
 */
export const PACK_MICROSECONDS: Readonly<FillsRead> = { period: 76, history: 20 };
const MICROSECONDS_A_MS = 1000;

/** A run that has used less of its time than this share has hardly begun: the next one would have no more. */
const HARDLY_BEGUN = 0.1;

type Timed = Pick<RunContext, "timeLeftMs" | "sliceMs">;
type Planned = Pick<PackRequest, "manifest" | "manifestIndex" | "period" | "basis" | "beginning" | "information">;

/**
 * Rejects before a pack is begun that would not be made in the time that is left: with a TooLongError where
 * another run as long would not make it either, with a WaitError where the next one does.
 */
export async function requirePackTime(job: Timed, request: Planned): Promise<void> {
  const { timeLeftMs, sliceMs } = job;
  if (timeLeftMs === undefined || sliceMs === undefined) {
    return;
  }
  const read = await countFillsRead(request);
  const takesMs = packMs(read, request.information);
  const leftMs = timeLeftMs();
  if (takesMs <= leftMs) {
    return;
  }
  const fills = read.period + read.history;
  if (takesMs > sliceMs || leftMs > sliceMs * (1 - HARDLY_BEGUN)) {
    throw new TooLongError(
      `the pack of ${request.period.name} reads ${counted(fills, "fill")}, and a run of ${Math.round(sliceMs / SECOND_MS)} seconds has time for some ${count(fillsIn(sliceMs))} of a period`,
      { fills, hint: SHORTER },
    );
  }
  throw new WaitError(`the pack of ${request.period.name} takes longer than this run still has`, {
    waitMs: 0,
    hint: "what was walked is kept; the next run makes it",
  });
}

/** What is done about it where large packs are not made as tasks. */
const SHORTER = "export shorter periods, or make it with the command line";

/** Fills of a period that are made into a pack in so long. */
export function fillsIn(ms: number): number {
  return Math.floor((ms * MICROSECONDS_A_MS) / PACK_MICROSECONDS.period);
}

/** `information`: all that is read for the accounts is read twice. */
function packMs({ period, history }: FillsRead, information: boolean): number {
  const led = (history + (information ? period + history : 0)) * PACK_MICROSECONDS.history;
  return (period * PACK_MICROSECONDS.period + led) / MICROSECONDS_A_MS;
}

/** Reads what `read` does until the signal aborts: then the pack ends, and nothing of it is to be seen. */
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

/** A run with a deadline had the time that was reckoned for it: another one would not be faster. */
function stopped({ sliceMs }: Timed, { name }: Pick<Period, "name">): FillbookError {
  const message = `the pack of ${name} was not done when the run had to end; nothing of it was written`;
  return sliceMs === undefined ? new StoppedError(message) : new TooLongError(message, { fills: null, hint: SHORTER });
}

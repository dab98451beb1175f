import { type FillbookError, StoppedError, TooLongError, WaitError } from "../core/errors.ts";
import type { Period } from "../core/period.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { RunContext } from "./context.ts";

type Job = Pick<RunContext, "account" | "store" | "signal" | "timeLeftMs" | "sliceMs">;

/** A pack is begun only this soon after its slice, so that it has nearly a whole slice. */
const BEGUN_WITHIN_MS = 2 * MINUTE_MS;

/** Throws a WaitError if too little of the slice is left to begin a pack: the next slice begins it. */
export function requirePackTime({ timeLeftMs, sliceMs }: Job, { name }: Pick<Period, "name">): void {
  if (timeLeftMs !== undefined && sliceMs !== undefined && sliceMs - timeLeftMs() > BEGUN_WITHIN_MS) {
    throw new WaitError(`the pack of ${name} needs more time than this run has left`, {
      waitMs: 0,
      hint: "what was read is kept; the next run makes the pack",
    });
  }
}

/**
 * Wraps `read` so that it throws once the signal aborts. The pack then ends, and nothing of it is visible.
 */
export function untilStopped<Named, Content>(
  job: Job,
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

/** With a deadline, the pack had a slice for itself, so another slice would not be enough either. */
function stopped({ account, store, sliceMs }: Job, { name }: Pick<Period, "name">): FillbookError {
  const message = `the pack of ${name} was not finished when the run had to end; none of it was written`;
  if (sliceMs === undefined) {
    return new StoppedError(message);
  }
  return new TooLongError(message, {
    hint: `make it on another computer, with the same period and options: fillbook export --account ${account} --store ${store.location}`,
  });
}

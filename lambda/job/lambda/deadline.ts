import type { Clock } from "../../core/clock.ts";
import { StoppedError } from "../../core/errors.ts";
import { SECOND_MS } from "../../core/time.ts";

/** The most time that a slice needs to commit what it has: a manifest and the head, with their retries. */
const MARGIN_MS = 30 * SECOND_MS;
/** The margin as a share of a short slice's time. */
const MARGIN_SHARE = 0.2;

export interface Deadline {
  /** Aborts with a StoppedError one margin before the time is up. */
  readonly signal: AbortSignal;
  /** Time until `signal` aborts, ms. Negative afterwards. */
  readonly leftMs: () => number;
  /** `leftMs` at the start. */
  readonly sliceMs: number;
  /** Ends the watch, so that it does not keep the process alive. */
  readonly cancel: () => void;
}

/**
 * `remainingMs` is read again after every sleep, because a frozen process wakes late and a timer may be
 * early.
 */
export function watchDeadline(clock: Clock, remainingMs: () => number): Deadline {
  const deadline = new AbortController();
  const over = new AbortController();
  const marginMs = Math.min(MARGIN_MS, remainingMs() * MARGIN_SHARE);
  const leftMs = () => remainingMs() - marginMs;
  const sliceMs = leftMs();
  const watch = async () => {
    for (let left = leftMs(); left > 0; left = leftMs()) {
      await clock.sleep(left, over.signal);
    }
    deadline.abort(new StoppedError("the time of this slice is up"));
  };
  watch().catch((error: unknown) => {
    if (!over.signal.aborted) {
      deadline.abort(error); // a clock that cannot be watched must not let the run be killed
    }
  });
  return { signal: deadline.signal, leftMs, sliceMs, cancel: () => over.abort() };
}

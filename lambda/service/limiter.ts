import type { Clock } from "../clock.ts";
import { FillbookError, StoppedError } from "../errors.ts";
import { HOUR_MS, SECOND_MS } from "../model/time.ts";
import type { Random } from "../random.ts";
import { backoffMs } from "./retry.ts";

/** Decides when a request may be sent. One for each token, shared by all that ask in a run. */
export interface Limiter {
  /**
   * Resolves when the next request may be sent, in the order asked. Rejects with StoppedError as soon as `signal` aborts, with `incomplete` when
   * the service has asked for a longer wait than the settings allow.
   */
  acquire(signal: AbortSignal): Promise<Permit>;
  /** Never more requests at once than this. */
  readonly maxInFlight: number;
}

export interface Permit {
  /** Exactly once, as soon as the answer's status is known or will never be. */
  release(how: Answered): void;
}

export type Answered =
  | { readonly kind: "answered" }
  /** No answer, or one of 5xx: says nothing about the limit. */
  | { readonly kind: "failed" }
  /** Too many requests, or a wait was asked for. `retryAfterMs` null: for how long is not said. */
  | { readonly kind: "refused"; readonly retryAfterMs: number | null };

export interface LimiterOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Most requests a second, whatever the service would allow; null: no such bound. */
  readonly maxRps: number | null;
  /** The longest pause that is slept out; default one hour. */
  readonly maxWaitMs?: number;
}

export const MAX_WAIT_MS = HOUR_MS;
/** A timer holds no more than 2^31 ms: a longer wait is slept in pieces. */
const LONGEST_SLEEP_MS = 24 * HOUR_MS;

interface Waiter {
  readonly signal: AbortSignal;
  readonly grant: (permit: Permit) => void;
  readonly refuse: (error: FillbookError) => void;
  readonly onAbort: () => void;
}

/**
 * A refusal pauses every send for all of the wait asked for, or a jittered backoff that doubles with each refusal in a row, whichever is longer.
 * Then one request goes as a probe; each answer lets one more be in flight, up to `concurrency`.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, random, concurrency, maxRps } = options;
  const maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
  const spacingMs = maxRps === null ? 0 : SECOND_MS / maxRps;
  const waiters: Waiter[] = [];
  let inFlight = 0;
  let window = concurrency;
  let nextSendAt = Number.NEGATIVE_INFINITY; // monotonic, as all times here
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let refusals = 0; // in a row, counting those of one burst once
  let pauses = 0;
  let wake: AbortController | null = null;

  return {
    maxInFlight: concurrency,
    acquire: (signal) =>
      new Promise((grant, refuse) => {
        const onAbort = () => settle(waiter, () => refuse(new StoppedError()));
        const waiter: Waiter = { signal, grant, refuse, onAbort };
        waiters.push(waiter);
        signal.addEventListener("abort", onAbort);
        if (signal.aborted) {
          onAbort();
        }
        pump();
      }),
  };

  function settle(waiter: Waiter, how: () => void): void {
    waiter.signal.removeEventListener("abort", waiter.onAbort);
    waiters.splice(waiters.indexOf(waiter), 1);
    how();
    if (waiters.length === 0) {
      wake?.abort();
    }
  }

  /** Lets go whom it may, and sees to it that it runs again when time alone will let the next one go. */
  function pump(): void {
    for (let first = waiters[0]; first !== undefined; first = waiters[0]) {
      const pauseMs = pausedUntil - clock.monotonic();
      if (pauseMs > maxWaitMs) {
        refuseAll(pauseMs);
        return;
      }
      const waitMs = Math.max(pausedUntil, nextSendAt) - clock.monotonic();
      if (waitMs > 0) {
        wakeAfter(waitMs);
        return;
      }
      if (inFlight >= window) {
        return; // a release pumps
      }
      send(first);
    }
  }

  function send(waiter: Waiter): void {
    const permit = permitOf();
    inFlight += 1;
    nextSendAt = clock.monotonic() + spacingMs;
    settle(waiter, () => waiter.grant(permit));
  }

  function permitOf(): Permit {
    const pausesBefore = pauses;
    let open = true;
    return {
      release(how) {
        if (!open) {
          throw new FillbookError("fault", "a permit of the limiter was released twice");
        }
        open = false;
        inFlight -= 1;
        if (how.kind === "refused") {
          pause(how.retryAfterMs, pausesBefore);
        } else if (how.kind === "answered" && pausesBefore === pauses) {
          refusals = 0;
          window = Math.min(concurrency, window + 1);
        }
        pump();
      },
    };
  }

  function pause(retryAfterMs: number | null, pausesBefore: number): void {
    if (pausesBefore === pauses) {
      pauses += 1;
      refusals += 1;
      window = 1;
      // Half of the backoff is certain, so that refusals without end cannot become a busy loop.
      const backoff = (backoffMs(refusals) * (1 + random.next())) / 2;
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + backoff);
    }
    pausedUntil = Math.max(pausedUntil, clock.monotonic() + (retryAfterMs ?? 0));
  }

  function refuseAll(pauseMs: number): void {
    for (const waiter of waiters.slice()) {
      settle(waiter, () => waiter.refuse(tooLong(pauseMs, maxWaitMs)));
    }
  }

  function wakeAfter(waitMs: number): void {
    wake?.abort();
    const mine = new AbortController();
    wake = mine;
    clock.sleep(Math.min(waitMs, LONGEST_SLEEP_MS), mine.signal).then(
      () => {
        if (wake === mine) {
          wake = null;
          pump();
        }
      },
      () => undefined, // ended by another wake, or nobody waits any more
    );
  }
}

/** The error for a wait that is not slept out. */
export function tooLong(askedMs: number, maxWaitMs: number): FillbookError {
  const [asked, most] = [askedMs, maxWaitMs].map((ms) => `${Math.ceil(ms / SECOND_MS)} s`);
  return new FillbookError(
    "incomplete",
    `the service asks to wait ${asked}, longer than the ${most} that a run waits`,
    {
      hint: "what was walked is kept; run again after that time",
    },
  );
}

import type { Clock } from "../clock.ts";
import { FillbookError, StoppedError } from "../errors.ts";
import { HOUR_MS, SECOND_MS } from "../model/time.ts";
import type { Random } from "../random.ts";
import { createPace, type Learned, type Sent } from "./pace.ts";

/** Decides when a request may be sent. One for each token, shared by all that ask in a run. */
export interface Limiter {
  /**
   * Resolves when the next request may be sent, in the order asked. Rejects with StoppedError as soon as `signal` aborts, with `incomplete` when
   * the service has asked for a longer wait than the settings allow.
   */
  acquire(signal: AbortSignal): Promise<Permit>;
  /** Never more requests at once than this. */
  readonly maxInFlight: number;
  /** Whether a request that asked now would be sent at once: nobody waits, no pause is on, and neither the rate nor the bound in flight holds it back. */
  hasRoom(): boolean;
}

export interface AdaptiveLimiter extends Limiter {
  /** What this run has learned of the service's limit, for the next one; null: it was never refused. */
  learned(): Learned | null;
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
  /** What an earlier run has learned with the same token. */
  readonly learned?: Learned | null;
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

/** Lets requests go in the order asked, when the pace says so. */
export function createLimiter(options: LimiterOptions): AdaptiveLimiter {
  const { clock, random, concurrency, maxRps, learned = null } = options;
  const maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
  const pace = createPace({ concurrency, maxRps, draw: () => random.next(), learned });
  const waiters: Waiter[] = [];
  let wake: AbortController | null = null;

  return {
    maxInFlight: concurrency,
    hasRoom: () => waiters.length === 0 && pace.hasRoom(clock.monotonic()),
    learned: pace.learned,
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
      const now = clock.monotonic();
      const pauseMs = pace.pauseMs(now);
      if (pauseMs > maxWaitMs) {
        refuseAll(pauseMs);
        return;
      }
      const waitMs = pace.waitMs(now);
      if (waitMs === null) {
        return; // a release pumps
      }
      if (waitMs > 0) {
        wakeAfter(waitMs);
        return;
      }
      const permit = permitOf(pace.sent(now));
      settle(first, () => first.grant(permit));
    }
  }

  function permitOf(sent: Sent): Permit {
    let open = true;
    return {
      release(how) {
        if (!open) {
          throw new FillbookError("fault", "a permit of the limiter was released twice");
        }
        open = false;
        tell(sent, how);
        pump();
      },
    };
  }

  function tell(sent: Sent, how: Answered): void {
    if (how.kind === "answered") {
      pace.answered(sent, clock.monotonic());
    } else if (how.kind === "failed") {
      pace.failed();
    } else {
      pace.refused(sent, clock.monotonic(), how.retryAfterMs);
    }
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
    clock.sleep(Math.ceil(Math.min(waitMs, LONGEST_SLEEP_MS)), mine.signal).then(
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

import type { Clock } from "../core/clock.ts";
import { FillbookError, StoppedError, WaitError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";
import { DAY_MS, HOUR_MS, isoTime, SECOND_MS } from "../core/time.ts";
import { initialState, learnedRate, next, pauseMs, waitMs } from "./rate-controller.ts";
import type { Answered, RateBounds, RateState } from "./rate-state.ts";
import type { Learned } from "./service.ts";

/**
 * Decides when a request may be sent. There is one for each token, shared by everything in a run that asks.
 */
export interface Limiter {
  /**
   * Resolves when the next request may be sent, in the order of the calls. Rejects with StoppedError as soon
   * as `signal` aborts, and with WaitError if the service asks for a longer wait than the settings or the
   * rest of the run allow.
   */
  acquire(signal: AbortSignal): Promise<Permit>;
  /** The most requests at once. */
  readonly maxInFlight: number;
  /**
   * Whether a request would be sent at once: nobody waits, there is no pause, and neither the rate nor the
   * bound in flight holds it back.
   */
  hasRoom(): boolean;
  /** Begins a run. See the port, service.ts. */
  begin(learned: Learned | null, timeLeftMs?: () => number): void;
  learned(): Learned;
}

export interface Permit {
  /** Call it exactly once, as soon as the status of the answer is known or never will be. */
  release(how: Answered): void;
}

export interface LimiterOptions extends RateBounds {
  readonly clock: Clock;
  readonly random: Random;
  /** The longest pause that is waited out. Default: one hour. */
  readonly maxWaitMs?: number;
}

export const MAX_WAIT_MS = HOUR_MS;
/**
 * How long a pause is kept for later runs. A service that is asked once a day is not hurried, and a false
 * header cannot stop the archive.
 */
const LONGEST_KEPT_MS = DAY_MS;
/** A timer holds at most 2^31 ms, so a longer wait is slept in pieces. */
const LONGEST_SLEEP_MS = 24 * HOUR_MS;

interface Waiter {
  waited: boolean;
  readonly signal: AbortSignal;
  readonly grant: (permit: Permit) => void;
  readonly refuse: (error: FillbookError) => void;
  readonly onAbort: () => void;
}

interface Run {
  state: RateState;
  /** The rest of the run, or the setting if that is less. */
  readonly mostWaitMs: () => number;
}

/**
 * Keeps the rate controller's state and lets requests go, in the order of the calls, when the controller
 * allows.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, random, concurrency, maxRps, maxWaitMs = MAX_WAIT_MS } = options;
  const waiters: Waiter[] = [];
  let run = beginRun(null, () => Number.POSITIVE_INFINITY);
  let wake: AbortController | null = null;

  return {
    maxInFlight: concurrency,
    hasRoom: () => waiters.length === 0 && waitMs(run.state, clock.monotonic(), run.mostWaitMs()) === 0,
    begin(learned, timeLeftMs = () => Number.POSITIVE_INFINITY) {
      run = beginRun(learned, timeLeftMs);
    },
    learned() {
      const leftMs = Math.min(LONGEST_KEPT_MS, pauseMs(run.state, clock.monotonic()));
      const notedAt = clock.now();
      return { ratePerSecond: learnedRate(run.state), notedAt, pausedUntil: leftMs > 0 ? notedAt + leftMs : null };
    },
    acquire: (signal) =>
      new Promise((grant, refuse) => {
        const onAbort = () => settle(waiter, () => refuse(new StoppedError()));
        const waiter: Waiter = { waited: false, signal, grant, refuse, onAbort };
        waiters.push(waiter);
        signal.addEventListener("abort", onAbort);
        if (signal.aborted) {
          onAbort();
        }
        pump();
        waiter.waited = true; // whoever is not gone by now waits
      }),
  };

  function beginRun(learned: Learned | null, timeLeftMs: () => number): Run {
    const pausedUntil = clock.monotonic() + pauseLeft(learned, clock.now());
    return {
      state: initialState({ concurrency, maxRps }, rateOf(learned), pausedUntil),
      mostWaitMs: () => Math.min(maxWaitMs, Math.max(0, timeLeftMs())),
    };
  }

  function settle(waiter: Waiter, how: () => void): void {
    waiter.signal.removeEventListener("abort", waiter.onAbort);
    waiters.splice(waiters.indexOf(waiter), 1);
    how();
    if (waiters.length === 0) {
      wake?.abort();
      wake = null;
    }
  }

  /** Lets requests go that may go. Arranges to run again when time alone will let the next one go. */
  function pump(): void {
    for (let first = waiters[0]; first !== undefined; first = waiters[0]) {
      const now = clock.monotonic();
      const pausedMs = pauseMs(run.state, now);
      if (pausedMs > run.mostWaitMs()) {
        refuseAll(pausedMs);
        return;
      }
      const untilNext = waitMs(run.state, now, run.mostWaitMs());
      if (untilNext === null) {
        return; // a release pumps
      }
      if (untilNext > 0) {
        wakeAfter(untilNext);
        return;
      }
      run.state = next(run.state, { kind: "sent", at: now, waited: first.waited });
      const permit = permitOf(run);
      settle(first, () => first.grant(permit));
    }
  }

  /** The permit of the latest request of `sentIn`. What ends after another run has begun is not counted. */
  function permitOf(sentIn: Run): Permit {
    const request = sentIn.state.lastSent;
    let open = true;
    return {
      release(how) {
        if (!open) {
          throw new FillbookError("fault", "a permit of the limiter was released twice");
        }
        open = false;
        const jitter = how.kind === "refused" ? random.next() : 0;
        sentIn.state = next(sentIn.state, { kind: "ended", at: clock.monotonic(), request, how, jitter });
        pump();
      },
    };
  }

  function refuseAll(askedMs: number): void {
    const [asked, most] = [askedMs, run.mostWaitMs()].map((ms) => `${Math.ceil(ms / SECOND_MS)} s`);
    const until = isoTime(clock.now() + Math.min(askedMs, LONGEST_KEPT_MS));
    const error = new WaitError(
      `the service asks for a wait of ${asked}, longer than the ${most} that this run can wait`,
      {
        waitMs: askedMs,
        hint: `what was read is kept; run again after ${until}`,
      },
    );
    for (const waiter of waiters.slice()) {
      settle(waiter, () => waiter.refuse(error));
    }
  }

  function wakeAfter(ms: number): void {
    wake?.abort();
    const mine = new AbortController();
    wake = mine;
    clock.sleep(Math.ceil(Math.min(ms, LONGEST_SLEEP_MS)), mine.signal).then(
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

/** Checks the stored value: another program, or a wrong clock, may have written it. */
function rateOf(learned: Learned | null): number | null {
  const rate = learned?.ratePerSecond ?? null;
  return rate !== null && Number.isFinite(rate) && rate > 0 ? rate : null;
}

/**
 * The rest of a pause, ms. Wall time is the only clock between two runs. A pause noted in our future is
 * ignored: one of the clocks is wrong, and the service will say again how long to wait.
 */
function pauseLeft(learned: Learned | null, now: number): number {
  const { pausedUntil = null, notedAt = Number.NaN } = learned ?? {};
  const isBelieved = pausedUntil !== null && [pausedUntil, notedAt].every(Number.isFinite) && notedAt <= now;
  return isBelieved ? Math.max(0, Math.min(pausedUntil, notedAt + LONGEST_KEPT_MS) - now) : 0;
}

import { setTimeout as sleepFor } from "node:timers/promises";
import { StoppedError } from "./errors.ts";

/** Time as the program sees it. Nothing else may read a clock or sleep. */
export interface Clock {
  /** Wall time, ms since the Unix epoch, UTC. */
  now(): number;
  /** Elapsed time, ms from an arbitrary origin; never goes back. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with StoppedError as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Calls `then` after `ms`, unless the returned function is called before. Use it for a timeout that rarely
 * happens: a sleep and its signal cost ten times as much.
 */
export type After = (ms: number, then: () => void) => () => void;

export const systemAfter: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await sleepFor(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.aborted === true ? new StoppedError() : error;
    }
  },
};

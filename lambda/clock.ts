import { setTimeout as timer } from "node:timers/promises";
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

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await timer(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.aborted === true ? new StoppedError() : error;
    }
  },
};

import { StoppedError } from "./errors.ts";

/** Time as the program sees it. Nothing else may read a clock or sleep. */
export interface Clock {
  /** Wall time, ms since the Unix epoch, UTC. */
  now(): number;
  /** Elapsed time, ms from an arbitrary origin; never goes back. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with StoppedError, the signal's own reason if it is one, as soon as `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason instanceof StoppedError ? signal.reason : new StoppedError());
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop);
      if (signal?.aborted === true) {
        stop();
      }
    }),
};

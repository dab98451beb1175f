import type { Clock } from "../../lambda/core/clock.ts";
import { StoppedError } from "../../lambda/core/errors.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still while anything can run, and then jumps to the next sleeper: whole runs take their hours in no time, and no test waits. What
 * runs is in-process: the event loop's own idleness is what moves the clock. It also stands still while `isBusy` says that something outside is awaited.
 */
export class VirtualClock implements Clock {
  #now: number;
  readonly #origin: number;
  readonly #isBusy: () => boolean;
  readonly #sleepers: Sleeper[] = [];
  #isPumping = false;

  constructor(now: number, isBusy: () => boolean = () => false) {
    this.#now = now;
    this.#origin = now;
    this.#isBusy = isBusy;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#origin;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        reject(new StoppedError());
      };
      const sleeper = {
        at: this.#now + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      if (signal?.aborted === true) {
        reject(new StoppedError());
        return;
      }
      signal?.addEventListener("abort", stop, { once: true });
      this.#sleepers.push(sleeper);
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#isPumping) {
      return;
    }
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      if (this.#isBusy()) {
        this.#pump();
        return;
      }
      const next = this.#sleepers.reduce<Sleeper | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
      if (next !== null) {
        this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
        this.#now = Math.max(this.#now, next.at);
        next.wake();
        this.#pump();
      }
    });
  }
}

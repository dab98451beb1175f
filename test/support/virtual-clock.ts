import type { Clock } from "../../lambda/core/clock.ts";
import { Sleepers } from "./sleepers.ts";

/**
 * A clock that stands still while anything can run, and then jumps to the next sleeper. Runs of many hours
 * then take no time, and no test waits. It works in one process: the clock moves when the event loop is idle.
 * It also stands still while `isBusy` tells that something outside is awaited.
 */
export class VirtualClock implements Clock {
  #now: number;
  readonly #origin: number;
  readonly #isBusy: () => boolean;
  readonly #sleepers = new Sleepers();
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
    const slept = this.#sleepers.sleep(this.#now + Math.max(0, ms), signal);
    if (signal?.aborted !== true) {
      this.#pump();
    }
    return slept;
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
      const next = this.#sleepers.next();
      if (next !== null) {
        this.#now = Math.max(this.#now, next.at);
        next.wake();
        this.#pump();
      }
    });
  }
}

import { StoppedError } from "../../lambda/core/errors.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * Who sleeps on a clock that a test moves. Who sleeps until the same ms wakes in the order of falling asleep.
 */
export class Sleepers {
  readonly #all: Sleeper[] = [];

  /** Until when they sleep, the first to wake first. */
  get times(): readonly number[] {
    return this.#all.map(({ at }) => at).sort((a, b) => a - b);
  }

  get count(): number {
    return this.#all.length;
  }

  /** Resolves when it is woken. */
  sleep(at: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(new StoppedError());
        return;
      }
      const leave = () => {
        signal?.removeEventListener("abort", stop);
        this.#all.splice(this.#all.indexOf(sleeper), 1);
      };
      const stop = () => {
        leave();
        reject(new StoppedError());
      };
      const sleeper = {
        at,
        wake: () => {
          leave();
          resolve();
        },
      };
      signal?.addEventListener("abort", stop);
      this.#all.push(sleeper);
    });
  }

  /** Who is to wake next. */
  next(): Sleeper | null {
    return this.#all.reduce<Sleeper | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
  }
}

import { StoppedError } from "../../lambda/core/errors.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * The sleepers on a clock that a test moves. Those with the same wake-up ms wake in the order in which they
 * fell asleep.
 */
export class Sleepers {
  readonly #all: Sleeper[] = [];

  /** The wake-up times, earliest first. */
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

  /** The next sleeper to wake. */
  next(): Sleeper | null {
    return this.#all.reduce<Sleeper | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
  }
}

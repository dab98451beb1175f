import { StoppedError } from "../../lambda/core/errors.ts";

export type FakeClock = ReturnType<typeof fakeClock>;

const MOST_TURNS = 2_000_000;

interface Sleeper {
  /** Elapsed ms. */
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock that stands still until the test lets time pass. Those with the same wake-up ms wake in the order in which
 * they fell asleep. `now`: wall time at the start, ms UTC. `auto`: time passes by itself; it stands still while
 * anything can run, and then jumps to the next sleeper, so that runs of many hours take no time.
 */
export function fakeClock({ now = Date.UTC(2026, 0, 1), auto = false } = {}) {
  const sleepers: Sleeper[] = [];
  const slept: number[] = [];
  const watchers: (() => void)[] = [];
  let elapsed = 0;
  let turning = false;

  const next = () => sleepers.reduce<Sleeper | null>((a, b) => (a === null || b.at < a.at ? b : a), null);

  const wake = (sleeper: Sleeper): void => {
    elapsed = Math.max(elapsed, sleeper.at);
    sleeper.wake();
  };

  const turnAlways = async (): Promise<void> => {
    if (turning) {
      return;
    }
    turning = true;
    while (sleepers.length > 0) {
      await eventLoopTurn();
      const sleeper = next();
      if (sleeper !== null) {
        wake(sleeper);
      }
    }
    turning = false;
  };

  return {
    now: () => now + elapsed,
    monotonic: () => elapsed,
    /** How long each sleeper still has to sleep, in ms, shortest first. */
    get sleeping() {
      return sleepers.map(({ at }) => at - elapsed).sort((a, b) => a - b);
    },
    /** All sleeps requested so far, in ms, in order of the requests. */
    slept,
    sleep(ms: number, signal?: AbortSignal) {
      return new Promise<void>((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(new StoppedError());
          return;
        }
        const leave = () => {
          signal?.removeEventListener("abort", stop);
          sleepers.splice(sleepers.indexOf(sleeper), 1);
        };
        const stop = () => {
          leave();
          reject(new StoppedError());
        };
        const sleeper = {
          at: elapsed + Math.max(0, ms),
          wake: () => {
            leave();
            resolve();
          },
        };
        signal?.addEventListener("abort", stop);
        sleepers.push(sleeper);
        slept.push(ms);
        for (const seen of watchers.splice(0)) {
          seen();
        }
        if (auto) {
          void turnAlways();
        }
      });
    },
    /**
     * Lets virtual time pass. Each sleeper wakes at its own time, in order, and finishes its next step before
     * the next one wakes.
     */
    async advance(ms: number) {
      const end = elapsed + ms;
      await eventLoopTurn();
      for (let sleeper = next(); sleeper !== null && sleeper.at <= end; sleeper = next()) {
        wake(sleeper);
        await eventLoopTurn();
      }
      elapsed = end;
    },
    /** Lets time pass until `work` is done. Rejects if nothing will wake it, or if it takes longer than `limitMs`. */
    async drive<T>(work: Promise<T>, limitMs: number): Promise<T> {
      let isDone = false;
      const finish = () => {
        isDone = true;
      };
      work.then(finish, finish);
      let turns = 0;
      for (await eventLoopTurn(); !isDone; await eventLoopTurn()) {
        const sleeper = next();
        turns += 1;
        if (sleeper === null || sleeper.at > limitMs || turns > MOST_TURNS) {
          throw new Error(
            sleeper === null ? "the work waits for something that never happens" : "the work does not end",
          );
        }
        wake(sleeper);
      }
      return await work;
    },
    /** Resolves once somebody sleeps. */
    async untilSleeping() {
      if (sleepers.length === 0) {
        await new Promise<void>((resolve) => watchers.push(resolve));
      }
    },
  };
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

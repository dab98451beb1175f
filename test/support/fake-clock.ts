import { Sleepers } from "./sleepers.ts";

export type FakeClock = ReturnType<typeof fakeClock>;

interface FakeClockOptions {
  /** Wall time at the start, ms UTC. */
  readonly now?: number;
  /**
   * Time passes by itself: it stands still while anything can run, and then jumps to the next sleeper. Runs
   * of many hours take no time.
   */
  readonly auto?: boolean;
}

const MOST_TURNS = 2_000_000;

/** A clock that stands still until the test lets time pass. */
export function fakeClock(options: FakeClockOptions = {}) {
  const { now = Date.UTC(2026, 0, 1), auto = false } = options;
  const sleepers = new Sleepers();
  const slept: number[] = [];
  const watchers = new Set<() => void>();
  let elapsed = 0;
  let turning = false;

  const wakeNext = (): void => {
    const sleeper = sleepers.next();
    if (sleeper !== null) {
      elapsed = Math.max(elapsed, sleeper.at);
      sleeper.wake();
    }
  };

  const turnAlways = async (): Promise<void> => {
    if (turning) {
      return;
    }
    turning = true;
    while (sleepers.count > 0) {
      await eventLoopTurn();
      wakeNext();
    }
    turning = false;
  };

  return {
    now: () => now + elapsed,
    monotonic: () => elapsed,
    /** How long each sleeper still has to sleep, in ms, shortest first. */
    get sleeping() {
      return sleepers.times.map((at) => at - elapsed);
    },
    /** All sleeps requested so far, in ms, in order of the requests. */
    slept,
    sleep(ms: number, signal?: AbortSignal) {
      const sleep = sleepers.sleep(elapsed + Math.max(0, ms), signal);
      if (signal?.aborted !== true) {
        slept.push(ms);
        for (const watcher of watchers) {
          watcher();
        }
        if (auto) {
          void turnAlways();
        }
      }
      return sleep;
    },
    /**
     * Lets virtual time pass. Each sleeper wakes at its own time, in order, and finishes its next step before
     * the next one wakes.
     */
    async advance(ms: number) {
      const end = elapsed + ms;
      await eventLoopTurn();
      for (let next = sleepers.next(); next !== null && next.at <= end; next = sleepers.next()) {
        wakeNext();
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
        const next = sleepers.next();
        turns += 1;
        if (next === null || next.at > limitMs || turns > MOST_TURNS) {
          throw new Error(next === null ? "the work waits for something that never happens" : "the work does not end");
        }
        wakeNext();
      }
      return await work;
    },
    /** Resolves once at least `count` are sleeping. */
    untilSleeping(count = 1) {
      return new Promise<void>((resolve) => {
        const watcher = (): void => {
          if (sleepers.count >= count) {
            watchers.delete(watcher);
            resolve();
          }
        };
        watchers.add(watcher);
        watcher();
      });
    },
  };
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

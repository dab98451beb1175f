import type { Clock } from "../../lambda/core/clock.ts";
import { Sleepers } from "./sleepers.ts";

export interface FakeClock extends Clock {
  /**
   * Lets virtual time pass. Each sleeper wakes at its own time, in order, and finishes its next step before
   * the next one wakes.
   */
  advance(ms: number): Promise<void>;
  /** Resolves once at least `count` are sleeping. */
  untilSleeping(count?: number): Promise<void>;
  /** How long each sleeper still has to sleep, in ms, shortest first. */
  readonly sleeping: readonly number[];
  /** All sleeps requested so far, in ms, in order of the requests. */
  readonly slept: readonly number[];
}

interface FakeClockOptions {
  /** Wall time at the start, ms UTC. */
  readonly now?: number;
  /**
   * Time passes by itself: it stands still while anything can run, and then jumps to the next sleeper. Runs
   * of many hours take no time.
   */
  readonly auto?: boolean;
}

/** A clock that stands still until the test lets time pass. */
export function fakeClock(options: FakeClockOptions = {}): FakeClock {
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
    get sleeping() {
      return sleepers.times.map((at) => at - elapsed);
    },
    slept,
    sleep(ms, signal) {
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
    async advance(ms) {
      const end = elapsed + ms;
      await eventLoopTurn();
      for (let next = sleepers.next(); next !== null && next.at <= end; next = sleepers.next()) {
        wakeNext();
        await eventLoopTurn();
      }
      elapsed = end;
    },
    untilSleeping(count = 1) {
      return new Promise((resolve) => {
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

import type { Clock } from "../../lambda/core/clock.ts";
import { Sleepers } from "./sleepers.ts";

export interface FakeClock extends Clock {
  /**
   * Lets virtual time pass: each sleeper wakes at its own time, in order, and what it does next is done
   * before the next wakes.
   */
  advance(ms: number): Promise<void>;
  /** Resolves once at least `count` sleep; at once when they do. */
  untilSleeping(count?: number): Promise<void>;
  /** How long each sleeper has still to sleep, ms, shortest first. */
  readonly sleeping: readonly number[];
  /** All sleeps asked for so far, ms, in the order asked. */
  readonly slept: readonly number[];
}

export interface FakeClockOptions {
  /** Wall time at the start, ms UTC. */
  readonly now?: number;
  /** Time passes by itself: whenever the event loop has turned once, the next sleeper's time has come. */
  readonly auto?: boolean;
}

/** A clock on which nothing happens until the test lets time pass. */
export function fakeClock({ now = Date.UTC(2026, 0, 1), auto = false }: FakeClockOptions = {}): FakeClock {
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

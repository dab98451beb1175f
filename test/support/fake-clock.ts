import type { Clock } from "../../lambda/core/clock.ts";
import { StoppedError } from "../../lambda/core/errors.ts";

export interface FakeClock extends Clock {
  /** Lets virtual time pass: each sleeper wakes at its own time, in order, and what it does next is done before the next wakes. */
  advance(ms: number): Promise<void>;
  /** Resolves once at least `count` sleep; at once when they do. */
  untilSleeping(count?: number): Promise<void>;
  /** How long each sleeper has still to sleep, ms, shortest first. */
  readonly sleeping: readonly number[];
  /** All sleeps asked for so far, ms, in the order asked. */
  readonly slept: readonly number[];
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export interface FakeClockOptions {
  /** Wall time at the start, ms UTC. */
  readonly now?: number;
  /** Time passes by itself: whenever the event loop has turned once, the next sleeper's time has come. */
  readonly auto?: boolean;
}

/** A clock on which nothing happens until the test lets time pass. */
export function fakeClock({ now = Date.UTC(2026, 0, 1), auto = false }: FakeClockOptions = {}): FakeClock {
  const sleepers: Sleeper[] = [];
  const slept: number[] = [];
  const watchers = new Set<() => void>();
  let elapsed = 0;
  let turning = false;

  const next = (): Sleeper | undefined =>
    sleepers.reduce<Sleeper | undefined>((a, b) => (a === undefined || b.until < a.until ? b : a), undefined);

  const wakeNext = (): void => {
    const sleeper = next();
    if (sleeper !== undefined) {
      elapsed = Math.max(elapsed, sleeper.until);
      sleeper.wake();
    }
  };

  const turnAlways = async (): Promise<void> => {
    if (turning) {
      return;
    }
    turning = true;
    while (sleepers.length > 0) {
      await eventLoopTurn();
      wakeNext();
    }
    turning = false;
  };

  return {
    now: () => now + elapsed,
    monotonic: () => elapsed,
    get sleeping() {
      return sleepers.map(({ until }) => until - elapsed).sort((a, b) => a - b);
    },
    slept,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          signal?.removeEventListener("abort", abort);
        };
        const abort = (): void => {
          leave();
          reject(new StoppedError());
        };
        const wake = (): void => {
          leave();
          resolve();
        };
        const sleeper: Sleeper = { until: elapsed + Math.max(0, ms), wake };
        if (signal?.aborted === true) {
          reject(new StoppedError());
          return;
        }
        slept.push(ms);
        sleepers.push(sleeper);
        signal?.addEventListener("abort", abort);
        for (const watcher of watchers) {
          watcher();
        }
        if (auto) {
          void turnAlways();
        }
      });
    },
    async advance(ms) {
      const end = elapsed + ms;
      await eventLoopTurn();
      for (let sleeper = next(); sleeper !== undefined && sleeper.until <= end; sleeper = next()) {
        wakeNext();
        await eventLoopTurn();
      }
      elapsed = end;
    },
    untilSleeping(count = 1) {
      return new Promise((resolve) => {
        const watcher = (): void => {
          if (sleepers.length >= count) {
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

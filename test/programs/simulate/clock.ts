import { Sleepers } from "../../support/sleepers.ts";

/**
 * What would go on without end, or wait without end: a finding of the simulation, not an error of the
 * program.
 */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

const MAX_TURNS = 2_000_000;

/**
 * The only time in a simulation. It stands still while anything can run and then jumps to the next sleeper;
 * who sleeps until the same ms wakes in the order of falling asleep. All that runs is in this process and
 * waits for this clock alone, so that one turn of the event loop lets everything run out.
 */
export class SimulatedClock {
  #now: number;
  #turns = 0;
  readonly #until: number;
  readonly #sleepers = new Sleepers();

  /** `limitMs`: longer than that nothing may take. */
  constructor(now: number, limitMs: number) {
    this.#now = now;
    this.#until = now + limitMs;
  }

  now(): number {
    return this.#now;
  }

  /** As Node's timers: whole ms, cut off; no time at all for less than one. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const isOver = ms < 1 && signal?.aborted !== true;
    return isOver ? Promise.resolve() : this.#sleepers.sleep(this.#now + Math.trunc(ms), signal);
  }

  /**
   * Lets time pass until `work` is done. Rejects with StuckError when it waits for nothing, or does not end.
   */
  async drive<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const finish = () => {
      isDone = true;
    };
    work.then(finish, finish);
    for (await eventLoopTurn(); !isDone; await eventLoopTurn()) {
      this.#wakeNext();
    }
    return await work;
  }

  #wakeNext(): void {
    const next = this.#sleepers.next();
    if (next === null) {
      throw new StuckError("what runs waits for nothing that will happen");
    }
    this.#turns += 1;
    if (next.at > this.#until || this.#turns > MAX_TURNS) {
      throw new StuckError("what runs does not end");
    }
    this.#now = Math.max(this.#now, next.at);
    next.wake();
  }
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

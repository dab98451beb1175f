import { Sleepers } from "../../support/sleepers.ts";

/**
 * The simulation runs or waits without end. This is a finding of the simulation, not an error of the program.
 */
export class StuckError extends Error {
  override readonly name = "StuckError";
}

const MAX_TURNS = 2_000_000;

/**
 * The only clock of a simulation. It stands still while anything can run, and then jumps to the next sleeper.
 * Sleepers with the same wake-up ms wake in the order in which they fell asleep. Everything runs in this
 * process and waits only for this clock, so one turn of the event loop is enough for all pending work.
 */
export class SimulatedClock {
  #now: number;
  #turns = 0;
  #stuck: string | null = null;
  readonly #until: number;
  readonly #sleepers = new Sleepers();

  /** `limitMs`: the longest time that the work may take. */
  constructor(now: number, limitMs: number) {
    this.#now = now;
    this.#until = now + limitMs;
  }

  now(): number {
    return this.#now;
  }

  /** Sleeps as Node's timers do: ms are truncated to whole numbers, and less than 1 ms does not wait. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const isOver = ms < 1 && signal?.aborted !== true;
    return isOver ? Promise.resolve() : this.#sleepers.sleep(this.#now + Math.trunc(ms), signal);
  }

  /**
   * Lets time pass until `work` is done. Rejects with StuckError if nothing will wake it, or if it does not
   * end.
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

  /** The work will not end by itself. */
  giveUp(why: string): void {
    this.#stuck = why;
  }

  #wakeNext(): void {
    if (this.#stuck !== null) {
      throw new StuckError(this.#stuck);
    }
    const next = this.#sleepers.next();
    if (next === null) {
      throw new StuckError("the runs wait for something that never happens");
    }
    this.#turns += 1;
    if (next.at > this.#until || this.#turns > MAX_TURNS) {
      throw new StuckError("the runs do not end");
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

import type { OpenWindow } from "../archive/manifest.ts";

export interface WorkerPoolPorts {
  /** The most windows that are walked at once. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** True when another request would be sent at once. */
  readonly hasRoom: () => boolean;
  /** Walks one window and whatever follows from it. A rejection ends the round. */
  readonly walk: (window: OpenWindow) => Promise<void>;
  /** Called when a window was rejected. */
  readonly failed: () => void;
  /** Splits a running window for an idle worker. Null: no split is worth its cost. */
  readonly split: () => OpenWindow | null;
}

/** What a running window may ask of its round. */
export interface Round {
  readonly signal: AbortSignal;
  /** Adds windows that replace a running one. */
  readonly add: (windows: readonly OpenWindow[]) => void;
  /** Something has changed: another worker may begin. */
  readonly fill: () => void;
  /** An assumption of this round's windows does not hold. */
  readonly abort: () => void;
}

/**
 * The workers of one round. The round ends when no window is outstanding. A window counts from the moment it
 * is known until everything that follows from it is done. A window that comes out of another one is counted
 * before that one is released.
 */
export class WorkerPool {
  readonly #ports: WorkerPoolPorts;
  readonly #queue: OpenWindow[];
  readonly #over = Promise.withResolvers<void>();
  readonly #errors: unknown[] = [];
  #walking = 0;
  #isStopped = false;

  constructor(ports: WorkerPoolPorts, windows: readonly OpenWindow[]) {
    this.#ports = ports;
    this.#queue = [...windows];
  }

  /** Resolves with the errors when nothing is outstanding. */
  async run(): Promise<readonly unknown[]> {
    this.fill();
    await this.#over.promise;
    return this.#errors;
  }

  /** Adds windows that came out of a running one. */
  add(windows: readonly OpenWindow[]): void {
    this.#queue.unshift(...windows);
  }

  /** Begins no more windows. Running ones end in their own way. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
  }

  /**
   * Starts workers that may begin; called whenever something has changed. The first worker need not wait for
   * room. One split at a time: the new worker's first request shows whether there is still room.
   */
  fill(): void {
    while (this.#mayBegin && this.#queue.length > 0) {
      void this.#walk(this.#queue.shift() as OpenWindow);
    }
    if (this.#mayBegin && this.#walking > 0) {
      const window = this.#ports.split();
      if (window !== null) {
        void this.#walk(window);
      }
    }
    if (this.#walking === 0) {
      this.#over.resolve();
    }
  }

  get #mayBegin(): boolean {
    const { workers, signal, hasRoom } = this.#ports;
    const isFree = !(signal.aborted || this.#isStopped) && this.#walking < workers;
    return isFree && (this.#walking === 0 || hasRoom());
  }

  async #walk(window: OpenWindow): Promise<void> {
    this.#walking += 1;
    try {
      await this.#ports.walk(window);
    } catch (error) {
      this.#errors.push(error);
      this.stop();
      this.#ports.failed();
    }
    this.#walking -= 1;
    this.fill();
  }
}

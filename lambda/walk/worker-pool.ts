import type { OpenWindow } from "../archive/manifest.ts";

export interface WorkerPoolPorts {
  /** Most windows walked at once. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Whether another request would be sent at once. */
  readonly hasRoom: () => boolean;
  /** Walks one window and what follows from it; a rejection ends the round. */
  readonly walk: (window: OpenWindow) => Promise<void>;
  /** Called when a window was rejected. */
  readonly failed: () => void;
  /** Takes a window off one that is being walked, for an idle worker; null: nothing is worth it. */
  readonly split: () => OpenWindow | null;
}

/** What a window that is walked may ask of its round. */
export interface Round {
  readonly signal: AbortSignal;
  /** Windows that take the place of one that is being walked. */
  readonly add: (windows: readonly OpenWindow[]) => void;
  /** Something has come: another worker may begin. */
  readonly fill: () => void;
  /** What the windows of this round rest on does not hold. */
  readonly abort: () => void;
}

/**
 * The workers of one round. It is over when nothing is outstanding: windows are counted from the moment they are known until all that
 * follows from them is done, and a window that comes out of another is counted before that one is released.
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

  /** Resolves when nothing is outstanding, to what went wrong. */
  async run(): Promise<readonly unknown[]> {
    this.fill();
    await this.#over.promise;
    return this.#errors;
  }

  /** Windows that came out of one that is being walked. */
  add(windows: readonly OpenWindow[]): void {
    this.#queue.unshift(...windows);
  }

  /** Begins no more windows; those that are walked end in their own way. */
  stop(): void {
    this.#isStopped = true;
    this.#queue.length = 0;
  }

  /**
   * Lets workers begin that may: called whenever something has changed. The first need not wait for room. One split at a time: whether there still is room
   * shows when the new worker has asked.
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

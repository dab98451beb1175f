type Task = () => Promise<void>;

export interface WorkerPorts {
  readonly workers: number;
  /** True if another request would be sent at once. */
  readonly hasRoom: () => boolean;
  /** The next task; null: there is none at the moment. */
  readonly take: () => Task | null;
}

/** Workers that run tasks until there is none and none runs. Tasks may make more tasks. */
export class Workers {
  readonly #ports: WorkerPorts;
  readonly #errors: unknown[] = [];
  #running = 0;
  #waiting = 0;
  #wake = Promise.withResolvers<void>();

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
  }

  /** Workers wait for a task. */
  get areIdle(): boolean {
    return this.#waiting > 0;
  }

  /** Rejects with the first error of a task, when all tasks that ran have ended. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#ports.workers }, () => this.#work()));
    if (this.#errors.length > 0) {
      throw this.#errors[0];
    }
  }

  /** Something has changed: a waiting worker may begin. */
  notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async #work(): Promise<void> {
    while (this.#errors.length === 0) {
      const hasRoom = this.#running === 0 || this.#ports.hasRoom();
      const task = hasRoom ? this.#ports.take() : null;
      if (task !== null) {
        await this.#do(task);
      } else if (this.#running === 0) {
        break;
      } else {
        this.#waiting += 1;
        await this.#wake.promise;
        this.#waiting -= 1;
      }
    }
    this.notify();
  }

  async #do(task: Task): Promise<void> {
    this.#running += 1;
    try {
      await task();
    } catch (error) {
      this.#errors.push(error);
    }
    this.#running -= 1;
    this.notify();
  }
}

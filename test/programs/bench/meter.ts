/** CPU of this process, all threads, without what is done aside. */
export class Meter {
  #asideMicros = 0;
  readonly #before = process.cpuUsage();

  /** What is needed for the measurement and is not measured, such as making a page. */
  aside<T>(work: () => T): T {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    this.#asideMicros += user + system;
    return result;
  }

  /** user + system so far */
  get cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.#before);
    return (user + system - this.#asideMicros) / 1e6;
  }
}

/** CPU time of all threads of this process, without work that is done aside. */
export class Meter {
  #asideMicros = 0;
  readonly #before = process.cpuUsage();

  /** Does work that the measurement needs but must not count, such as creating a page. */
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

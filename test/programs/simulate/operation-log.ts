import { hash } from "node:crypto";

/** Every effect of a simulation, one short line each, in the order in which they befell. */
export class OperationLog {
  readonly lines: string[] = [];
  readonly #now: () => number;
  readonly #origin: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#origin = now();
  }

  note(who: string, what: string): void {
    this.lines.push(`${this.#now() - this.#origin} ${who} ${what}`);
  }

  get hash(): string {
    return hash("sha256", this.lines.join("\n"), "hex");
  }
}

import { hash } from "node:crypto";

/** All effects of a simulation in order, one short line each. */
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

import { GROUP_ROWS } from "./table.ts";

/** Which cells of a column are there: its definition levels, once one is not. */
export class Levels {
  #rows = 0;
  #nulls = 0;
  readonly #levels = new Uint32Array(GROUP_ROWS);

  get rows(): number {
    return this.#rows;
  }

  get nulls(): number {
    return this.#nulls;
  }

  get levels(): Uint32Array {
    return this.#levels.subarray(0, this.#rows);
  }

  add(level: 0 | 1): void {
    if (this.#rows === GROUP_ROWS) {
      throw new RangeError(`more than ${GROUP_ROWS} rows in a group`);
    }
    this.#levels[this.#rows] = level;
    this.#rows += 1;
    this.#nulls += 1 - level;
  }

  clear(): void {
    this.#rows = 0;
    this.#nulls = 0;
  }
}

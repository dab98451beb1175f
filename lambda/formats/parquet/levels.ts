import { GROUP_ROWS } from "./table.ts";

/** The definition levels of a column: 1 for a cell, 0 for a null. */
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

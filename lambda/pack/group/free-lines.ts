interface Timed {
  readonly time: number;
}

/** Lines by time, of which more and more are taken. */
export class FreeLines<T extends Timed> {
  /** By time. */
  readonly #lines: readonly T[];
  readonly #at: ReadonlyMap<T, number>;
  /** Of each place the first free one from it on, or one on the way there. */
  readonly #onwards: number[];
  /** Of each place the last free one before it, counted from 1, or one on the way there. */
  readonly #backwards: number[];

  constructor(lines: readonly T[]) {
    this.#lines = lines;
    this.#at = new Map(lines.map((line, at) => [line, at]));
    this.#onwards = Array.from({ length: lines.length + 1 }, (_, at) => at);
    this.#backwards = [...this.#onwards];
  }

  /** How many lines, free or not, are no further from the time. */
  countAround(time: number, most: number): number {
    return this.#firstFrom(time + most + 1) - this.#firstFrom(time - most);
  }

  take(line: T): void {
    const at = this.#at.get(line);
    if (at !== undefined) {
      this.#onwards[at] = at + 1;
      this.#backwards[at + 1] = at;
    }
  }

  /** The free line that is closest in time, of equally close ones the first; null: none is free. */
  nearest(time: number): T | null {
    const from = this.#firstFrom(time);
    const after = this.#lines[end(this.#onwards, from)];
    const before = this.#lines[end(this.#backwards, from) - 1];
    if (before === undefined || (after !== undefined && after.time - time < time - before.time)) {
      return after ?? null;
    }
    return this.#lines[end(this.#onwards, this.#firstFrom(before.time))] ?? null;
  }

  #firstFrom(time: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle]?.time ?? Number.POSITIVE_INFINITY) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Follows a place to what it leads to, and shortens the way. */
function end(ways: number[], place: number): number {
  let found = place;
  while (ways[found] !== found) {
    found = ways[found] ?? found;
  }
  for (let at = place; at !== found; ) {
    const next = ways[at] ?? found;
    ways[at] = found;
    at = next;
  }
  return found;
}

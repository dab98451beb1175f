import type { Prng } from "../../support/prng.ts";

/** Draws the parts of a scenario from one random stream: the same seed gives the same scenario. */
export class Draw {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  chance(share: number): boolean {
    return this.#prng.next() < share;
  }

  /** A whole number from 0 to `most`. */
  upTo(most: number): number {
    return Math.floor(this.#prng.next() * (Math.max(0, most) + 1));
  }

  /** A whole number from 0 to `most`, with equal probability for each order of magnitude. */
  small(most: number): number {
    return Math.floor((most + 1) ** this.#prng.next()) - 1;
  }

  pick<const T>(from: readonly T[]): T {
    const picked = from[this.#prng.int(from.length)];
    if (picked === undefined) {
      throw new RangeError("nothing to pick from");
    }
    return picked;
  }

  /** A random selection of at least one. */
  some<T>(from: readonly T[]): T[] {
    const kept = from.filter(() => this.chance(0.4));
    return kept.length === 0 ? [this.pick(from)] : kept;
  }

  /** From 0 to `most` results of `make`. */
  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.upTo(most) }, make);
  }
}

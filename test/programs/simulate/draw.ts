import type { Prng } from "../../support/prng.ts";

/** Draws of a scenario, all from one stream: the same seed gives the same scenario. */
export class Draw {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  chance(share: number): boolean {
    return this.#prng.next() < share;
  }

  /** A whole number of 0 … `most`. */
  upTo(most: number): number {
    return Math.floor(this.#prng.next() * (Math.max(0, most) + 1));
  }

  /** A whole number of 0 … `most`, every order of magnitude as likely as the next. */
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

  /** One of them at least. */
  some<T>(from: readonly T[]): T[] {
    const kept = from.filter(() => this.chance(0.4));
    return kept.length === 0 ? [this.pick(from)] : kept;
  }

  /** 0 … `most` of what `make` makes. */
  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.upTo(most) }, make);
  }
}

import { prng } from "../../support/prng.ts";

export type Draw = ReturnType<typeof drawFrom>;

/** Draws the parts of a scenario from one random stream: the same seed gives the same scenario. */
export function drawFrom(seed: number) {
  const { next, int } = prng(seed);
  const chance = (share: number): boolean => next() < share;
  /** A whole number from 0 to `most`. */
  const upTo = (most: number): number => Math.floor(next() * (Math.max(0, most) + 1));
  const pick = <const T>(from: readonly T[]): T => {
    const picked = from[int(from.length)];
    if (picked === undefined) {
      throw new RangeError("nothing to pick from");
    }
    return picked;
  };
  return {
    chance,
    upTo,
    pick,
    /** A whole number from 0 to `most`, with equal probability for each order of magnitude. */
    small: (most: number): number => Math.floor((most + 1) ** next()) - 1,
    /** A random selection of at least one. */
    some<T>(from: readonly T[]): T[] {
      const kept = from.filter(() => chance(0.4));
      return kept.length === 0 ? [pick(from)] : kept;
    },
    /** From 0 to `most` results of `make`. */
    times: <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most) }, make),
  };
}

import type { Fill } from "./drawing.ts";

/** A part of a bar. */
export interface Part {
  readonly value: bigint;
  readonly fill: Fill;
}

export interface StackedPart {
  readonly fill: Fill;
  /** low < high */
  readonly low: bigint;
  readonly high: bigint;
}

/** Parts above zero one after another upwards, those below zero downwards; a part of zero is none. */
export function stacked(parts: readonly Part[]): StackedPart[] {
  let above = 0n;
  let below = 0n;
  return parts.flatMap(({ value, fill }) => {
    if (value === 0n) {
      return [];
    }
    if (value > 0n) {
      above += value;
      return [{ fill, low: above - value, high: above }];
    }
    below += value;
    return [{ fill, low: below, high: below - value }];
  });
}

/** How far a bar goes below and above zero. */
export function reachOf(parts: readonly Part[]): { readonly low: bigint; readonly high: bigint } {
  const ends = stacked(parts);
  return {
    low: ends.reduce((low, part) => (part.low < low ? part.low : low), 0n),
    high: ends.reduce((high, part) => (part.high > high ? part.high : high), 0n),
  };
}

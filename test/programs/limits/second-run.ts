import { told } from "./candidates.ts";
import { capacity, type GridCell, HORIZON_MS, scenario } from "./grid.ts";
import { type MakeController, type Outcome, simulate } from "./simulate.ts";

/** The first part of a run. */
export interface Beginning {
  /** accepted requests, as a share of those that could pass */
  readonly share: number;
  /** number of refused requests */
  readonly refused: number;
}

export const BEGINNING_MS = 60_000;
/** Added to a seed for the second run: the same service at another time. */
const NEXT = 1000;

/**
 * Compares the beginning of the second of two runs with a run that knows nothing. The second run is told
 * `factor` times the rate that the first one learned.
 */
export function beginnings(
  cell: GridCell,
  seeds: readonly number[],
  { factor = 1, lengthMs = BEGINNING_MS }: { factor?: number; lengthMs?: number } = {},
): { readonly first: Beginning; readonly second: Beginning } {
  const begin = (learnedRate: (seed: number) => number | null): Beginning => {
    const outcomes = seeds.map((seed) => play(cell, seed + NEXT, lengthMs, learnedRate(seed)));
    const mean = (of: (outcome: Outcome) => number): number =>
      outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
    const possible = capacity(cell) * (lengthMs / 1000);
    return { share: mean(({ accepted }) => accepted) / possible, refused: mean(({ refused }) => refused) };
  };
  return {
    first: begin(() => null),
    second: begin((seed) => {
      const { learnedRate } = play(cell, seed, HORIZON_MS, null);
      return learnedRate === null ? null : factor * learnedRate;
    }),
  };
}

function play(
  cell: GridCell,
  seed: number,
  horizonMs: number,
  learnedRate: number | null,
): Outcome & { readonly learnedRate: number | null } {
  let ours: ReturnType<typeof told> | null = null;
  const make: MakeController = (draw, concurrency) => {
    ours = told(learnedRate, draw, concurrency);
    return ours;
  };
  const outcome = simulate(make, { ...scenario(cell, seed), horizonMs });
  return { ...outcome, learnedRate: (ours as ReturnType<typeof told> | null)?.learnedRate() ?? null };
}

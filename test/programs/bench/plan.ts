import type { CaseName } from "./cases.ts";
import type { PlanName } from "./results.ts";

/** What is measured of an account of one size, on the same pages. */
export interface SizePlan {
  readonly fills: number;
  readonly rounds: number;
  /**
   * In every round, one after another. P is among them several times, so that all are compared with the P of
   * their own minutes.
   */
  readonly eachRound: readonly CaseName[];
  /** After the rounds. */
  readonly once: readonly CaseName[];
  /** After those, under the small heap. */
  readonly limited: readonly CaseName[];
}

export interface Plan {
  readonly sizes: readonly SizePlan[];
  /** Counts, exact and without rounds, each with the account's fills. */
  readonly counts: readonly (readonly [CaseName, number])[];
}

const STAGES: readonly CaseName[] = ["decode", "parquet"];
const PEERS: readonly CaseName[] = ["duckdb-parquet", "plain"];
/** What the first targets compare: twice a round, with P around each. */
const SYNC: readonly CaseName[] = ["parse", "archive", "parse", "duckdb-archive", "parse"];

/** Fills that are described, and not written. */
export const SHORT_HISTORY = 10_000;
export const LONG_HISTORY = 100_000_000;

const COUNTS: Plan["counts"] = [
  ["requests", 20_000],
  ["nights-0", 300],
  ["nights-10", 300],
  ["nights-0", 10_000],
  ["nights-10", 10_000],
  ["nights-1000", 10_000],
  ["history-1", SHORT_HISTORY],
  ["history-1", LONG_HISTORY],
  ["history-3", LONG_HISTORY],
];

/** `small`, `middle`, `large`: fills. The middle one is measured in every way. */
function planOf(small: number, middle: number, large: number, rounds: number): Plan {
  return {
    sizes: [
      {
        fills: small,
        rounds,
        eachRound: ["parse", "archive", "process", "parse", "pack"],
        once: [],
        limited: ["archive", "pack"],
      },
      {
        fills: middle,
        rounds,
        eachRound: [...SYNC, ...STAGES, "parse", "tables", "parse", ...PEERS, "parse", "pack", ...SYNC],
        once: ["process"],
        limited: ["archive", "tables", "pack"],
      },
      { fills: large, rounds: 1, eachRound: ["parse", "archive", "parse"], once: [], limited: ["archive"] },
    ],
    counts: COUNTS,
  };
}

export const PLANS: Readonly<Record<PlanName, Plan>> = {
  full: planOf(100_000, 1_000_000, 5_000_000, 3),
  small: planOf(5000, 20_000, 50_000, 1),
};

/** The sizes that the targets speak of. */
export function sizesOfPlan(name: PlanName) {
  const [small, middle, large] = PLANS[name].sizes.map(({ fills }) => fills);
  return { small: small ?? 0, middle: middle ?? 0, large: large ?? 0 };
}

import type { CaseName } from "./cases.ts";
import type { PlanName } from "./results.ts";

/** The measurements of an account of one size, all on the same pages. */
export interface SizePlan {
  readonly fills: number;
  readonly rounds: number;
  /**
   * Cases that run one after another in every round. P runs several times among them, so that each case is
   * compared with a P of about the same time.
   */
  readonly eachRound: readonly CaseName[];
  /** Cases that run once, after the rounds. */
  readonly once: readonly CaseName[];
  /** Cases that run last, with the small heap. */
  readonly limited: readonly CaseName[];
}

export interface Plan {
  readonly sizes: readonly SizePlan[];
  /** Exact counts, which need no rounds, each with the account's number of fills. */
  readonly counts: readonly (readonly [CaseName, number])[];
}

const STAGES: readonly CaseName[] = ["decode", "parquet"];
const PEERS: readonly CaseName[] = ["duckdb-parquet", "plain"];
/** The cases that the first targets compare. They run twice per round, with P before and after each. */
const SYNC: readonly CaseName[] = ["parse", "archive", "parse", "duckdb-archive", "parse"];

/** Numbers of fills whose data files exist only as entries in the index. */
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

/**
 * The parameters `small`, `middle` and `large` are numbers of fills. Every case is measured at the middle
 * size.
 */
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

/** The sizes that the targets refer to. */
export function sizesOfPlan(name: PlanName) {
  const [small, middle, large] = PLANS[name].sizes.map(({ fills }) => fills);
  return { small: small ?? 0, middle: middle ?? 0, large: large ?? 0 };
}

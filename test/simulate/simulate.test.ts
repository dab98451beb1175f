import process from "node:process";
import { describe, expect, test } from "vitest";
import { CORPUS } from "./corpus.ts";
import { drawScenario, type Sabotage, type Scenario, UNDISTURBED } from "./scenario.ts";
import { type Outcome, simulate } from "./simulate.ts";

const BASE_SEED = Number(process.env["FILLBOOK_SEED"] ?? 1_000_000);
const SCENARIOS = Number(process.env["FILLBOOK_SCENARIOS"] ?? 1500);
const TIMEOUT_MS = Math.max(120_000, SCENARIOS * 200);

/** What a person reads of a failure: the line that replays it. */
function failure({ seed, findings }: Outcome): string[] {
  return findings.length === 0 ? [] : [`node test/simulate/main.ts --seed ${seed}  # ${findings.join("; ")}`];
}

test.each(CORPUS)("$why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).toEqual([]);
});

test(
  `${SCENARIOS} drawn scenarios from seed ${BASE_SEED}: nothing lost, doubled, invented or wrong, and nothing claimed that is not held`,
  async () => {
    const failures: string[] = [];
    let complete = 0;
    for (let seed = BASE_SEED; seed < BASE_SEED + SCENARIOS; seed += 1) {
      const outcome = await simulate(seed);
      failures.push(...failure(outcome));
      complete += outcome.complete ? 1 : 0;
    }
    expect(failures).toEqual([]);
    expect(complete).toBeGreaterThan(SCENARIOS / 2); // else the scenarios are too hard to say anything
  },
  TIMEOUT_MS,
);

test("the same seed twice: the same operations in the same order at the same times", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const [first, second] = [await simulate(seed), await simulate(seed)];
    expect(second.operations).toEqual(first.operations);
    expect(second.hash).toBe(first.hash);
  }
});

test("another seed: other operations", async () => {
  expect((await simulate(41)).hash).not.toBe((await simulate(42)).hash);
});

/** A plain account, and three runs at once. */
function plain(sabotage: Sabotage | null): Scenario {
  const scenario = drawScenario(7);
  const run = { ...UNDISTURBED, afterMs: 0 };
  return {
    ...scenario,
    account: { ...scenario.account, fills: 120, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) },
    switches: { pageLimit: 10, latency: { ms: 400, jitterMs: 20 } },
    isLive: false,
    range: { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) },
    tokenEndsMs: null,
    // The first two sleep in turn for longer than their lease, so that each is taken over, and wakes.
    runs: [5, 40, 900].map((effect) => ({ ...run, suspend: { effect, ms: 100_000, freezes: false } })),
    isRaced: true,
    sabotage,
  };
}

describe("what breaks the archive is seen", () => {
  test("nothing broken: nothing found", async () => {
    expect(failure(await simulate(7, plain(null)))).toEqual([]);
  });

  test.each([
    ["drop-part", /parquet is missing/],
    ["drop-row", /fills lost/],
    ["no-compare", /does not follow/],
  ] as const)("%s", async (sabotage, sees) => {
    const { findings } = await simulate(7, plain(sabotage));
    expect(findings.join("\n")).toMatch(sees);
  });
});

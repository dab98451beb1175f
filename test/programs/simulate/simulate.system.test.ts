import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { drawScenario, NOW, type Sabotage, type Scenario, UNDISTURBED } from "./scenario.ts";
import { simulate } from "./simulate.ts";
import { failure } from "./suite.ts";

test("the same seed twice: the same operations in the same order at the same times", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const [first, second] = [await simulate(seed), await simulate(seed)];
    expect(second.operations).toEqual(first.operations);
    expect(second.hash).toBe(first.hash);
  }
});

function withConcurrency(scenario: Scenario, concurrency: number): Scenario {
  return { ...scenario, runs: scenario.runs.map((run) => ({ ...run, concurrency })) };
}

test("one worker and sixteen: the same parts, byte for byte, and the same coverage", async () => {
  let compared = 0;
  for (let seed = 2_000_000; seed < 2_000_150; seed += 1) {
    const scenario = drawScenario(seed);
    // Rows that come or change in the course of the runs are seen at other times, in other versions.
    if (!scenario.isLive && scenario.switches.changingRows === undefined) {
      const one = await simulate(seed, withConcurrency(scenario, 1));
      const sixteen = await simulate(seed, withConcurrency(scenario, 16));
      expect([...failure(one), ...failure(sixteen)]).toEqual([]);
      if (one.complete && sixteen.complete) {
        compared += 1;
        expect(sixteen.data, `seed ${seed}`).toBe(one.data);
      }
    }
  }
  expect(compared).toBeGreaterThan(50);
});

/** A plain account, and three runs at once. */
function plain(sabotage: Sabotage | null, second = 40): Scenario {
  const scenario = drawScenario(7);
  const run = { ...UNDISTURBED, afterMs: 0 };
  return {
    ...scenario,
    account: { seed: 8, fills: 120, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1), ties: 3 },
    switches: { pageLimit: 10, latency: { ms: 400, jitterMs: 20 } },
    isLive: false,
    settleLagMs: 0,
    lookBackMs: 0,
    nights: { count: 0, everyMs: 0 },
    range: { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) },
    tokenEndsMs: null,
    // The first two sleep in turn for longer than their lease, so that each is taken over, and wakes.
    runs: [17, second, 900].map((effect) => ({ ...run, suspend: { effect, ms: 100_000, freezes: false } })),
    isRaced: true,
    sabotage,
  };
}

/** Pages enough for the order to be proven, and one run of sixteen workers. */
function long(sabotage: Sabotage | null): Scenario {
  const base = plain(sabotage);
  return {
    ...base,
    account: { ...base.account, fills: 200 },
    switches: { pageLimit: 5, latency: { ms: 50, jitterMs: 20 } },
    runs: [{ ...UNDISTURBED, afterMs: 0, concurrency: 16 }],
    isRaced: false,
  };
}

/** Fills come up to six days late, and a part changes within one; night after night. */
function nightly(sabotage: Sabotage | null): Scenario {
  const base = long(sabotage);
  return {
    ...base,
    account: { ...base.account, from: NOW - 9 * DAY_MS, to: NOW + DAY_MS },
    switches: {
      pageLimit: 10,
      lateRows: { share: 0.5, maxDelayMs: 6 * DAY_MS },
      changingRows: { share: 0.2, what: "filledAt-appears", afterMs: DAY_MS },
    },
    isLive: true,
    settleLagMs: 3_600_000,
    lookBackMs: 7 * DAY_MS,
    nights: { count: 5, everyMs: DAY_MS },
    range: { from: NOW - 9 * DAY_MS, to: null },
  };
}

/** The same, a little more than a week apart: long enough for orphans to be collected. */
function weekly(sabotage: Sabotage | null): Scenario {
  return { ...nightly(sabotage), nights: { count: 4, everyMs: 7.5 * DAY_MS } };
}

describe("what breaks a promise is seen", () => {
  test("nothing broken: nothing found, and everything reached that is broken below", async () => {
    const outcomes = await Promise.all(
      [plain(null), long(null), nightly(null), weekly(null)].map((one) => simulate(7, one)),
    );
    expect(outcomes.flatMap(failure)).toEqual([]);
    const [, split, looked, collected] = outcomes.map(({ reach }) => reach);
    expect(split?.orderEnds).toBeGreaterThan(0);
    expect(split?.bounded).toBeGreaterThan(0);
    expect(looked?.lookBacks).toBeGreaterThanOrEqual(5);
    expect(looked?.rotations).toBeGreaterThan(0);
    expect(looked?.restated).toBeGreaterThan(20);
    expect(collected?.collections).toBeGreaterThan(1);
    expect(collected?.deleted).toBeGreaterThan(0);
  });

  test.each([
    ["drop-part", plain, /parquet is missing/],
    ["drop-row", plain, /fills lost/],
    ["drop-row", long, /fills lost/],
    ["ask-more", long, /the most that it may/],
    ["no-look-back", nightly, /has not looked back/],
    ["collect-named", weekly, /is missing(, and a manifest of the last week|: a manifest) names it/],
    ["collect-nothing", weekly, /an orphan that a collection has left/],
  ] as const)("%s", async (sabotage, scenarioOf, sees) => {
    const { findings } = await simulate(7, scenarioOf(sabotage));
    expect(findings.join("\n")).toMatch(sees);
  });

  test("no-compare, where the second run sleeps between reading the head and replacing it", async () => {
    const found: string[] = [];
    for (let effect = 30; effect < 60; effect += 1) {
      found.push(...(await simulate(7, plain("no-compare", effect))).findings);
    }
    expect(found.join("\n")).toMatch(/does not follow/);
  });
});

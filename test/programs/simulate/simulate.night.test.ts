import { expect, test } from "vitest";
import { drawScenario, type Scenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";
import { failure } from "./suite.ts";

test("the same seed gives the same operations in the same order at the same times", async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const [first, second] = [await simulate(seed), await simulate(seed)];
    expect(second.operations).toEqual(first.operations);
  }
});

function withConcurrency(scenario: Scenario, concurrency: number): Scenario {
  return { ...scenario, runs: scenario.runs.map((run) => ({ ...run, concurrency })) };
}

test("one worker and sixteen give the same data files, byte for byte, and the same coverage", async () => {
  let compared = 0;
  for (let seed = 2_000_000; seed < 2_000_150; seed += 1) {
    const scenario = drawScenario(seed);
    // Rows that appear or change during the runs are seen at other times and in other versions, so such
    // scenarios are not compared.
    if (!scenario.isLive && scenario.switches.changingRows === undefined) {
      const one = await simulate(seed, withConcurrency(scenario, 1));
      const sixteen = await simulate(seed, withConcurrency(scenario, 16));
      expect([...failure(one), ...failure(sixteen)]).toEqual([]);
      // What is wrong twice alike in one of them may be right in the other.
      if (one.complete && sixteen.complete && !(one.isFooled || sixteen.isFooled)) {
        compared += 1;
        expect(sixteen.data, `seed ${seed}`).toBe(one.data);
      }
    }
  }
  expect(compared).toBeGreaterThan(50);
});

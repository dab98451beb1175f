import process from "node:process";
import { expect, test } from "vitest";
import { type Outcome, simulate } from "./simulate.ts";

const BASE_SEED = Number(process.env["FILLBOOK_SEED"] ?? 1_000_000);
const SCENARIOS = Number(process.env["FILLBOOK_SCENARIOS"] ?? 10_000);
/** The files that share them, so that they run side by side. */
const FILES = 4;

/** What a person reads of a failure: the line that replays it. */
export function failure({ seed, findings }: Outcome): string[] {
  return findings.length === 0 ? [] : [`node test/simulate/main.ts --seed ${seed}  # ${findings.join("; ")}`];
}

/** One share of the drawn scenarios, of which there are FILES. `file`: from 0. */
export function testDrawn(file: number): void {
  const from = BASE_SEED + Math.floor((SCENARIOS * file) / FILES);
  const to = BASE_SEED + Math.floor((SCENARIOS * (file + 1)) / FILES);
  const timeoutMs = Math.max(120_000, (to - from) * 400);
  test(
    `drawn scenarios ${from} to ${to - 1}: nothing lost, doubled, invented or wrong, and nothing claimed that is not held`,
    async () => {
      const failures: string[] = [];
      let complete = 0;
      let split = 0;
      for (let seed = from; seed < to; seed += 1) {
        const outcome = await simulate(seed);
        failures.push(...failure(outcome));
        complete += outcome.complete ? 1 : 0;
        split += outcome.reach.orderEnds > 0 ? 1 : 0;
      }
      expect(failures).toEqual([]);
      // Else the scenarios are too hard, or too small, to say anything.
      expect(complete).toBeGreaterThan((to - from) / 2);
      expect(split).toBeGreaterThanOrEqual(Math.floor((to - from) / 50));
    },
    timeoutMs,
  );
}

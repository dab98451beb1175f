import process from "node:process";
import { expect, test } from "vitest";
import { patienceMs } from "../../patience.ts";
import { type Outcome, simulate } from "./simulate.ts";

const BASE_SEED = Number(process.env["FILLBOOK_SEED"] ?? 1_000_000);
const SCENARIOS = Number(process.env["FILLBOOK_SCENARIOS"] ?? 10_000);
/** Number of test files that share the scenarios, so that they run in parallel. */
const FILES = 2;

/** A failure as a person reads it: the command that reproduces it, and the findings. */
export function failure({ seed, findings }: Outcome): string[] {
  return findings.length === 0 ? [] : [`node test/programs/simulate/main.ts --seed ${seed}  # ${findings.join("; ")}`];
}

/** Tests one of the FILES shares of the drawn scenarios. `file` counts from 0. */
export function testShare(file: number): void {
  const from = BASE_SEED + Math.floor((SCENARIOS * file) / FILES);
  testDrawn(from, BASE_SEED + Math.floor((SCENARIOS * (file + 1)) / FILES));
}

export function testFew(count: number): void {
  testDrawn(BASE_SEED, BASE_SEED + count);
}

function testDrawn(from: number, to: number): void {
  test(
    `random scenarios ${from} to ${to - 1}: no fill is lost, doubled, invented or wrong, and no claim is false`,
    async () => {
      const failures: string[] = [];
      let [complete, fooled] = [0, 0];
      for (let seed = from; seed < to; seed += 1) {
        const outcome = await simulate(seed);
        failures.push(...failure(outcome));
        complete += outcome.complete ? 1 : 0;
        fooled += outcome.isFooled ? 1 : 0;
      }
      expect(failures).toEqual([]);
      // The service gives two equal wrong answers now and then, which no reading can tell.
      expect(fooled).toBeLessThanOrEqual((to - from) / 100);
      // Otherwise the scenarios are too hard or too small to prove anything.
      expect(complete).toBeGreaterThan((to - from) / 2);
    },
    patienceMs(Math.max(120, (to - from) * 0.4)),
  );
}

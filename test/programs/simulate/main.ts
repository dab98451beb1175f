import process from "node:process";
import { parseArgs } from "node:util";
import { scenarioOf } from "./corpus.ts";
import { type Outcome, simulate } from "./simulate.ts";
import { newTally, summaryOf, take } from "./tally.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    runs: { type: "string" },
    minutes: { type: "string" },
    trace: { type: "boolean", default: false },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sayFailure({ seed, findings }: Outcome): void {
  say(`node test/programs/simulate/main.ts --seed ${seed}  # ${findings.join("; ").split("\n")[0]}`);
}

async function one(seed: number): Promise<void> {
  const outcome = await simulate(seed);
  const { operations, ...rest } = outcome;
  if (values.trace) {
    say(operations.join("\n"));
  }
  say(JSON.stringify(scenarioOf(seed), null, 1));
  say(JSON.stringify({ ...rest, operations: operations.length }, null, 1));
  process.exitCode = outcome.findings.length === 0 ? 0 : 1;
}

async function many(first: number, runs: number, minutes: number): Promise<void> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const tally = newTally();
  for (let seed = first; seed < first + runs && elapsedMs() < minutes * 60_000; seed += 1) {
    const outcome = await simulate(seed);
    take(tally, outcome);
    if (outcome.findings.length > 0) {
      sayFailure(outcome);
    }
    if (tally.scenarios % 1000 === 0) {
      say(`${tally.scenarios} scenarios, ${tally.failed} failed, ${Math.round(elapsedMs() / 1000)} s`);
    }
  }
  say(summaryOf(tally, elapsedMs()));
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

if (values.seed === undefined) {
  const isTimed = values.minutes !== undefined;
  const runs = Number(values.runs ?? (isTimed ? Number.MAX_SAFE_INTEGER : 1000));
  await many(Number(values.from), runs, Number(values.minutes ?? Number.POSITIVE_INFINITY));
} else {
  await one(Number(values.seed));
}

import process from "node:process";
import { readOptions, wholeNumber } from "../options.ts";
import { scenarioOf } from "./corpus.ts";
import { type Outcome, simulate } from "./simulate.ts";

const HELP = `Runs whole scenarios from seeds, with faults, in virtual time, and prints the command that repeats each failure.

npm run simulate -- [options]

  --from SEED    the first scenario (default 1)
  --runs N       how many scenarios (default 1,000)
  --seed SEED    runs one scenario and prints what it was and did
  --help         prints this text
`;

const values = readOptions(HELP, {
  seed: { type: "string" },
  from: { type: "string", default: "1" },
  runs: { type: "string", default: "1000" },
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
  say(operations.join("\n"));
  say(JSON.stringify(scenarioOf(seed), null, 1));
  say(JSON.stringify({ ...rest, operations: operations.length }, null, 1));
  process.exitCode = outcome.findings.length === 0 ? 0 : 1;
}

async function many(first: number, runs: number): Promise<void> {
  let [scenarios, failed, complete, fooled] = [0, 0, 0, 0];
  const sayCounts = () => say(`${scenarios} scenarios, ${failed} failed, ${complete} complete, ${fooled} fooled`);
  for (let seed = first; seed < first + runs; seed += 1) {
    const outcome = await simulate(seed);
    scenarios += 1;
    complete += outcome.complete ? 1 : 0;
    fooled += outcome.isFooled ? 1 : 0;
    if (outcome.findings.length > 0) {
      failed += 1;
      sayFailure(outcome);
    }
    if (scenarios % 1000 === 0) {
      sayCounts();
    }
  }
  sayCounts();
  process.exitCode = failed === 0 ? 0 : 1;
}

const { seed, from, runs } = values;
if (seed === undefined) {
  await many(wholeNumber("--from", from), wholeNumber("--runs", runs));
} else {
  await one(wholeNumber("--seed", seed));
}

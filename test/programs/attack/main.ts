import process from "node:process";
import { parseArgs } from "node:util";
import { counted } from "../../../lambda/core/text.ts";
import { machine } from "../../support/machine.ts";
import { keep } from "../benchmarks-page/write.ts";
import { GROUPS } from "./groups.ts";
import { runGroup, type Survived } from "./run-attacks.ts";

const HELP = `Tries bad inputs on everything that can be reached from outside, and reports those that break their law.

usage: npm run attack -- [--seed N] [--each N] [--group TEXT] [--write]

  --seed N      seed of the random inputs (default 1)
  --each N      number of random inputs of each kind (default 3)
  --group TEXT  tries only groups whose name contains TEXT
  --write       also keeps the counts in test/programs/attack/results.json, and writes BENCHMARKS.md again
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    each: { type: "string", default: "3" },
    group: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function attackAll(): Promise<void> {
  const draw = { seed: Number(values.seed), each: Number(values.each) };
  const groups: Survived[] = [];
  process.stdout.write(`seed ${draw.seed}, ${draw.each} random inputs of each kind\n`);
  for (const group of GROUPS.filter(({ name }) => name.includes(values.group ?? ""))) {
    const result = await runGroup(group, draw);
    const { tried, broken } = result;
    process.stdout.write(
      `${group.name}: ${counted(tried, "input")}, ${broken.length === 0 ? "all survived" : `${broken.length} broke their law`}\n`,
    );
    process.stdout.write(broken.map((line) => `  ${line}\n`).join(""));
    groups.push(result);
  }
  if (groups.some(({ broken }) => broken.length > 0)) {
    process.exitCode = 1;
  }
  if (values.write && values.group === undefined) {
    keep("attack", { ...machine(), ...draw, groups });
  }
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  await attackAll();
}

import process from "node:process";
import { parseArgs } from "node:util";
import { counted } from "../../../lambda/core/text.ts";
import { machine } from "../../support/machine.ts";
import { keep } from "../benchmarks-page/write.ts";
import { GROUPS } from "./groups.ts";
import { runGroup, type Survived } from "./run-attacks.ts";

const HELP = `Tries bad inputs on all that can be reached from outside, and says what did not end as it must.

usage: npm run attack -- [--seed N] [--each N] [--group TEXT] [--write]

  --seed N      what the drawn ones are drawn from (default 1)
  --each N      so many drawn ones of each kind (default 3)
  --group TEXT  only groups whose name holds this
  --write       also keep the counts in test/programs/attack/results.json, and write BENCHMARKS.md anew
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
  process.stdout.write(`seed ${draw.seed}, ${draw.each} drawn of each kind\n`);
  for (const group of GROUPS.filter(({ name }) => name.includes(values.group ?? ""))) {
    const result = await runGroup(group, draw);
    const { tried, broken } = result;
    process.stdout.write(
      `${group.name}: ${counted(tried, "input")}, ${broken.length === 0 ? "all survived" : `${broken.length} did not`}\n`,
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

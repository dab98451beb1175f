import { CASES, type CaseName, runCase } from "./cases.ts";

/** `child.ts CASE DIR FILLS`: one JSON object on stdout. */
const [, , name = "", dir = "", fills = "0"] = process.argv;
if (!Object.hasOwn(CASES, name)) {
  throw new Error(`no case ${name}`);
}
const result = await runCase(name as CaseName, { dir, fills: Number(fills) });
process.stdout.write(`${JSON.stringify(result)}\n`);

import { CASES, type CaseName, runCase } from "./cases.ts";

/** `child.ts CASE DIR FILLS` runs a case and prints its result as one JSON object on stdout. */
const [, , name = "", dir = "", fills = "0"] = process.argv;
if (!Object.hasOwn(CASES, name)) {
  throw new Error(`there is no case ${name}`);
}
const result = await runCase(name as CaseName, { dir, fills: Number(fills) });
process.stdout.write(`${JSON.stringify(result)}\n`);

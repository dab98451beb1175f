import { mkdirSync } from "node:fs";
import process from "node:process";
import { AccountFile, pageBodies, writeAccount } from "./account-file.ts";
import { makeArchive, makePack, makeTable, readAgain } from "./archive.ts";
import { Meter } from "./meter.ts";

export interface CaseInput {
  /** The folder with the account's pages, and with the archive once it is made. */
  readonly dir: string;
  readonly fills: number;
}

export interface CaseResult {
  /** user + system, all threads */
  readonly cpuSeconds: number;
  /** maximum resident set */
  readonly peakBytes: number;
}

type Case = (input: CaseInput, meter: Meter) => void | Promise<void>;

const CASES: Readonly<Record<string, Case>> = {
  prepare({ dir, fills }) {
    mkdirSync(dir, { recursive: true });
    writeAccount(dir, fills);
  },
  /** The unit P: only JSON.parse of the pages. */
  parse({ dir, fills }, meter) {
    for (const body of pageBodies(new AccountFile(dir), fills, meter)) {
      JSON.parse(body);
    }
  },
  archive: makeArchive,
  table: makeTable,
  again: readAgain,
  pack: makePack,
};

/** `child.ts CASE DIR FILLS` runs a case and prints its result as one JSON object on stdout. */
const [, , name = "", dir = "", fills = "0"] = process.argv;
const run = CASES[name];
if (run === undefined) {
  throw new Error(`there is no case ${name}`);
}
const meter = new Meter();
await run({ dir, fills: Number(fills) }, meter);
const { cpuSeconds } = meter;
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ cpuSeconds, peakBytes } satisfies CaseResult)}\n`);

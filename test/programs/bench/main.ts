import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { NODE_FLAGS } from "../../cli/child.ts";
import { machine } from "../../support/machine.ts";
import { table } from "../../support/markdown-table.ts";
import { readOptions } from "../options.ts";
import type { CaseName, CaseResult } from "./cases.ts";
import { bundleChild, CHILD_BUNDLE } from "./child-bundle.ts";

const HELP = `Measures the cost of a fill from pages to files. Takes ten minutes on two quiet cores and 10 GB of disk.

npm run bench -- [options]

  --small   uses some thousand fills, to test in a minute that everything runs; ignore its figures
  --write   also writes the table to test/programs/bench/RESULTS.md
  --help    prints this text
`;

const run = promisify(execFile);

/** P runs before each case, so that both meet the same machine. */
const STEPS = {
  archive: "pages → archive, one reading",
  table: "archive → table/",
  again: "the second reading",
  tables: "archive → fills.csv, fills.parquet",
  pack: "archive → pack",
  process: "fillbook sync, over loopback",
} as const;
const SIZES = { full: [100_000, 1_000_000, 5_000_000], small: [5000, 20_000] } as const;
const ROUNDS = 3;

async function measure(name: CaseName, dir: string, fills: number): Promise<CaseResult> {
  // The emulator's program is found relative to the sources.
  const child = name === "process" ? join(import.meta.dirname, "child.ts") : CHILD_BUNDLE;
  const { stdout } = await run(process.execPath, [...NODE_FLAGS, child, name, dir, String(fills)]);
  return JSON.parse(stdout);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

async function rowsOf(fills: number): Promise<string[][]> {
  const dir = await mkdtemp(join(tmpdir(), "fillbook-bench-"));
  const tidy = () => rmSync(dir, { recursive: true, force: true });
  process.once("exit", tidy);
  try {
    await measure("prepare", dir, fills);
    const rows: string[][] = [];
    for (const [name, what] of Object.entries(STEPS) as [keyof typeof STEPS, string][]) {
      const samples: { readonly result: CaseResult; readonly ratio: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const unit = await measure("parse", dir, fills);
        const result = await measure(name, dir, fills);
        samples.push({ result, ratio: result.cpuSeconds / unit.cpuSeconds });
      }
      const of = (pick: (sample: (typeof samples)[number]) => number) => median(samples.map(pick));
      const store = samples[0]?.result.store;
      rows.push([
        ...[fills.toLocaleString("en"), what],
        of(({ result }) => (result.cpuSeconds * 1e6) / fills).toFixed(2),
        of(({ ratio }) => ratio).toFixed(2),
        of(({ result }) => result.peakBytes / 1e6).toFixed(0),
        ...(store ? [store.writes, store.reads, Math.round(store.bytesOut / 1e6)].map(String) : ["", "", ""]),
      ]);
      process.stderr.write(`${rows.at(-1)?.join(", ")}\n`);
    }
    return rows;
  } finally {
    tidy();
    process.off("exit", tidy);
  }
}

const values = readOptions(HELP, {
  small: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});

// Ends through the exit handlers, which remove the files on disk.
process.once("SIGINT", () => process.exit(130));

await bundleChild();
process.once("exit", () => rmSync(CHILD_BUNDLE));
const rows: string[][] = [];
for (const fills of SIZES[values.small ? "small" : "full"]) {
  rows.push(...(await rowsOf(fills)));
}
const { date, machine: hardware } = machine();
const text = [
  "# The cost of a fill",
  "",
  `\`npm run bench\` on ${date}: ${hardware}. Medians of ${ROUNDS} rounds, each line in its own process.`,
  "CPU is the user and system time of all threads, without reading pages from disk. P is `JSON.parse` of the same",
  "pages and nothing else. The account's fills are spread evenly over 2025; the store is a local folder.",
  "",
  ...table(["Fills", "Step", "CPU µs per fill", "÷ P", "Peak MB", "Writes", "Reads", "MB out"], rows),
].join("\n");
process.stdout.write(`${text}\n`);
if (values.write) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
}

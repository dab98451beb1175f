import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { NODE_FLAGS } from "../../cli/child.ts";
import { writePage } from "../benchmarks-page/write.ts";
import type { CaseResult } from "./case.ts";
import type { CaseName } from "./cases.ts";
import { bundleChild, CHILD_BUNDLE } from "./child-bundle.ts";
import { PLANS, type SizePlan } from "./plan.ts";
import { reportOf } from "./report.ts";
import { HEAP_FLAGS, keepResults, type Results, readResults, type Sample } from "./results.ts";

const HELP = `Measures the cost of a fill from pages to files, and compares it with other tools. Takes twenty minutes on two quiet cores and 10 GB of disk.

npm run bench -- [options]

  --small        uses some thousand fills, to test in two minutes that everything runs; ignore its figures
  --write        also keeps every figure in test/programs/bench, and writes BENCHMARKS.md again
  --again        measures nothing, and makes the tables from test/programs/bench/results.json again
  --help         prints this text

Example: npm run bench -- --write
`;

const run = promisify(execFile);

interface Request {
  readonly name: CaseName;
  readonly dir: string;
  readonly fills: number;
  readonly limited?: boolean;
}

/** These cases start other programs of this repository, which they find relative to their own folder. */
const STARTERS: readonly CaseName[] = ["process"];

/** Cases that run with Node's default flags instead of fillbook's. */
const OTHERS = /^duckdb|^plain$/;

async function measure({ name, dir, fills, limited = false }: Request): Promise<CaseResult> {
  const own = OTHERS.test(name) ? [] : NODE_FLAGS;
  const flags = limited ? HEAP_FLAGS : own;
  const child = STARTERS.includes(name) ? join(import.meta.dirname, "child.ts") : CHILD_BUNDLE;
  const { stdout } = await run(process.execPath, [...flags, child, name, dir, String(fills)]);
  return JSON.parse(stdout);
}

/** A case that fails is reported in the tables, and the other figures are kept. */
async function sampleOf(request: Request, round: number): Promise<Sample> {
  const { name, fills, limited = false } = request;
  const result = await measure(request).catch((error: unknown): CaseResult => {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const reason = /^.*Error.*$/m.exec(said)?.[0] ?? "it gave no reason";
    return { cpuSeconds: 0, wallSeconds: 0, peakBytes: 0, store: null, facts: {}, missing: `it failed: ${reason}` };
  });
  const cost = result.missing ?? `${result.cpuSeconds.toFixed(2)} s CPU, ${(result.peakBytes / 1e6).toFixed(0)} MB`;
  process.stderr.write(`${name} of ${fills.toLocaleString("en")}${limited ? ", small heap" : ""}: ${cost}\n`);
  return { name, fills, round, limited, result };
}

async function measureSize({ fills, rounds, eachRound, once, limited }: SizePlan): Promise<Sample[]> {
  const dir = await mkdtemp(join(tmpdir(), "fillbook-bench-"));
  const tidy = () => rmSync(dir, { recursive: true, force: true });
  process.once("exit", tidy);
  try {
    await measure({ name: "prepare", dir, fills });
    if ([...eachRound, ...once].some((name) => name.startsWith("duckdb"))) {
      await measure({ name: "lines", dir, fills });
    }
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const name of eachRound) {
        samples.push(await sampleOf({ name, dir, fills }, round));
      }
    }
    for (const name of once) {
      samples.push(await sampleOf({ name, dir, fills }, rounds));
    }
    for (const name of limited) {
      samples.push(await sampleOf({ name, dir, fills, limited: true }, rounds));
    }
    return samples;
  } finally {
    tidy();
    process.off("exit", tidy);
  }
}

async function measureAll(isSmall: boolean): Promise<Results> {
  await bundleChild();
  process.once("exit", () => rmSync(CHILD_BUNDLE));
  const plan = isSmall ? "small" : "full";
  const samples: Sample[] = [];
  for (const [name, fills] of PLANS[plan].counts) {
    samples.push(await sampleOf({ name, dir: "", fills }, 0));
  }
  for (const size of PLANS[plan].sizes) {
    samples.push(...(await measureSize(size)));
  }
  const date = new Date().toISOString().slice(0, 10);
  const [processor] = cpus();
  const hardware = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `Node ${process.version.slice(1)}, ${process.platform} ${process.arch}, ${hardware}`;
  return { date, machine, plan, samples };
}

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

// Ends through the exit handlers, which remove the files on disk.
process.once("SIGINT", () => process.exit(130));

if (values.help) {
  process.stdout.write(HELP);
} else if (values.write && values.small) {
  throw new Error(
    "--write and --small cannot be combined, because BENCHMARKS.md needs full results; leave out --small",
  );
} else {
  const results = values.again ? readResults() : await measureAll(values.small);
  const text = reportOf(results);
  process.stdout.write(`${text}\n`);
  if (values.write) {
    keepResults(results);
    writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
    writePage();
  }
}

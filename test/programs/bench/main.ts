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

const HELP = `What a fill costs, from pages to files, beside what one would otherwise pick. Twenty minutes on two quiet cores, 10 GB of disk.

npm run bench -- [options]

  --small        some thousand fills: whether everything runs, in two minutes; its figures mean nothing
  --write        also keep every figure in test/programs/bench, and write BENCHMARKS.md anew
  --again        measure nothing: make the tables of test/programs/bench/results.json anew
  --help         this text

Example: npm run bench -- --write
`;

const run = promisify(execFile);

interface Request {
  readonly name: CaseName;
  readonly dir: string;
  readonly fills: number;
  readonly limited?: boolean;
}

/** They measure programs of this repository that they start, which they find from their own folders. */
const STARTERS: readonly CaseName[] = ["process"];

/** What runs with Node's own flags, and not with fillbook's. */
const OTHERS = /^duckdb|^plain$/;

async function measure({ name, dir, fills, limited = false }: Request): Promise<CaseResult> {
  const own = OTHERS.test(name) ? [] : NODE_FLAGS;
  const flags = limited ? HEAP_FLAGS : own;
  const child = STARTERS.includes(name) ? join(import.meta.dirname, "child.ts") : CHILD_BUNDLE;
  const { stdout } = await run(process.execPath, [...flags, child, name, dir, String(fills)]);
  return JSON.parse(stdout);
}

/** A case that fails is told in the tables, and does not take the others' figures with it. */
async function sampleOf(request: Request, round: number): Promise<Sample> {
  const { name, fills, limited = false } = request;
  const result = await measure(request).catch((error: unknown): CaseResult => {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const reason = /^.*Error.*$/m.exec(said)?.[0] ?? "it does not say why";
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

// So that what is on disk goes with a run that is stopped.
process.once("SIGINT", () => process.exit(130));

if (values.help) {
  process.stdout.write(HELP);
} else if (values.write && values.small) {
  throw new Error("--write puts whole tables into BENCHMARKS.md: leave out --small");
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

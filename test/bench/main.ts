import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import type { CaseName, CaseResult } from "./cases.ts";
import { costTable, memoryTable, requestsTable, rewrite, type SizeResult, sizesTable } from "./report.ts";

const HELP = `What a fill costs, from pages to files.

npm run bench -- [options]

  --small        2,000 and 20,000 fills instead of 100,000 and 1,000,000
  --write        also rewrite the tables of BENCHMARKS.md
  --date DATE    the date to write there (default: today)
  --help         this text

Example: npm run bench -- --write
`;

const SIZES = [100_000, 1_000_000] as const;
const SMALL_SIZES = [2000, 20_000] as const;
const YEAR_FILLS = 20_000;
const PARSE_RUNS = 3;
/** V8 collects lazily, so a peak says little without a limit: the smallest multiple of 32 under which a million fills pass. */
const HEAP_LIMIT_MB = 128;
const LIMITED = [`--max-old-space-size=${HEAP_LIMIT_MB}`, "--max-semi-space-size=8"];

const run = promisify(execFile);

async function measure(name: CaseName, dir: string, fills: number, flags: readonly string[] = []): Promise<CaseResult> {
  const child = join(import.meta.dirname, "child.ts");
  const { stdout } = await run(process.execPath, [...flags, child, name, dir, String(fills)]);
  const result: CaseResult = JSON.parse(stdout);
  const limit = flags.length === 0 ? "" : `, heap ${HEAP_LIMIT_MB} MB`;
  process.stderr.write(`${name} of ${fills.toLocaleString("en")}${limit}: ${result.cpuSeconds.toFixed(2)} s CPU\n`);
  return result;
}

async function measureSize(fills: number): Promise<SizeResult> {
  const dir = await mkdtemp(join(tmpdir(), "fillbook-bench-"));
  try {
    await measure("prepare", dir, fills);
    const parses: CaseResult[] = [];
    for (let left = PARSE_RUNS; left > 0; left -= 1) {
      parses.push(await measure("parse", dir, fills));
    }
    const archiveLimited = await measure("archive", dir, fills, LIMITED);
    const packLimited = await measure("pack", dir, fills, LIMITED);
    const archive = await measure("archive", dir, fills);
    const pack = await measure("pack", dir, fills);
    return { fills, parse: median(parses), archive, pack, archiveLimited, packLimited };
  } finally {
    await rm(dir, { recursive: true });
  }
}

function median(results: readonly CaseResult[]): CaseResult {
  const middle = results.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[results.length >> 1];
  if (middle === undefined) {
    throw new RangeError("no results");
  }
  return middle;
}

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const requests = await measure("requests", "", YEAR_FILLS);
  const results: SizeResult[] = [];
  for (const fills of values.small ? SMALL_SIZES : SIZES) {
    results.push(await measureSize(fills));
  }
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const text = [
    `${values.date}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}, ${machine}.`,
    costTable(results),
    memoryTable(results, HEAP_LIMIT_MB),
    sizesTable(results),
    requestsTable(YEAR_FILLS, requests),
  ].join("\n\n");
  process.stdout.write(`${text}\n`);
  if (values.write) {
    rewrite(join(import.meta.dirname, "../../BENCHMARKS.md"), text);
  }
}

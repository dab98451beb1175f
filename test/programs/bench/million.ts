import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { build } from "esbuild";
import { NODE_FLAGS } from "../../cli/child.ts";
import type { CaseResult } from "./child.ts";
import { costOf } from "./run.ts";

/** As lambda/cli/package-entry.mjs sets it. */
const HEAP_FLAG = "--heap-growing-percent=100";

/** A step of the way from pages to a pack, in a process of its own. `goal`: the most P. */
const STEPS = [
  { name: "archive", what: "pages → archive, one reading", goal: 10 },
  { name: "table", what: "archive → `table/`", goal: 11 },
  { name: "again", what: "the second reading", goal: null },
  { name: "pack", what: "archive → pack", goal: 60 },
] as const;

export interface StepResult {
  readonly what: string;
  readonly goal: number | null;
  readonly cpuSeconds: number;
  /** Multiples of P, measured just before. */
  readonly ratio: number;
  readonly peakBytes: number;
  /** By which the store has grown. */
  readonly bytesMade: number;
}

/** The cost of fills, without a network; and of DuckDB, which writes the same rows as Parquet. */
export async function costOfFills(fills: number, folder: string): Promise<readonly StepResult[]> {
  const bundle = await bundleChild();
  const run = async (name: string): Promise<CaseResult> => {
    const flags = [...NODE_FLAGS, HEAP_FLAG];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, bundle, name, dir, String(fills)]);
    return JSON.parse(stdout);
  };
  const dir = await mkdtemp(join(folder, "fills-"));
  try {
    await run("prepare");
    const results: StepResult[] = [];
    for (const { name, what, goal } of STEPS) {
      const [unit, before] = [await run("parse"), await bytesIn(dir)];
      const result = await run(name);
      const bytesMade = (await bytesIn(dir)) - before;
      results.push({ what, goal, ...result, ratio: result.cpuSeconds / unit.cpuSeconds, bytesMade });
    }
    const unit = await run("parse");
    const script = join(import.meta.dirname, "duckdb-table.ts");
    const { cpuSeconds, peakBytes } = await costOf({ program: process.execPath, args: [script, dir] }, dir);
    const what = "DuckDB: archive → Parquet";
    return [...results, { what, goal: null, cpuSeconds, peakBytes, bytesMade: 0, ratio: cpuSeconds / unit.cpuSeconds }];
  } finally {
    await rm(bundle);
    await rm(dir, { recursive: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
}

/**
 * The bundle lies in the folder of its sources, because the sources look for files relative to their own
 * place.
 */
const CHILD_BUNDLE = join(import.meta.dirname, "child.bundle.mjs");

/**
 * Bundles the cases into one JavaScript file, as fillbook is installed. Loading TypeScript takes 90 MB, which
 * would count as their memory.
 */
async function bundleChild(): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, "child.ts")],
    outfile: CHILD_BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    define: { esbuildDetection: "1" }, // as infra/build-cli.ts
    minifySyntax: true,
    minifyWhitespace: true,
    banner: {
      // undici is CommonJS
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return CHILD_BUNDLE;
}

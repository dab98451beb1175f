import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { bundleOptions, bundlePackages } from "../../handler/packages.ts";
import { openSandbox } from "../../handler/sandbox.ts";
import { openWorld, type World } from "../../handler/world.ts";
import { writeSection } from "../../support/benchmarks.ts";
import { table } from "./table.ts";

const HELP = `How large the function's bundle is, and how long a cold one takes to its first page.

node test/programs/bench/cold-start.ts [--write] [--date DATE]

  --write        also rewrites the section of BENCHMARKS.md
  --date DATE    the date to write there (default: today)
  --help         this text
`;

const ROOT = join(import.meta.dirname, "../../..");
const STARTS = 15;
const BIGGEST = 10;
const MARCH = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };

const run = promisify(execFile);

/** One cold start. */
interface Start {
  readonly importMs: number;
  /** Of the packages alone, a moment later. */
  readonly packagesMs: number;
  /** From the event to the service's first request: by then a role was taken on, the archive's head and the token were read. */
  readonly firstPageMs: number;
  /** Of the process, when the slice that ended after its first pages had answered. */
  readonly peakBytes: number;
}

/** The folder of the function's code, of all that `cdk synth` wrote. */
async function synthesise(outdir: string): Promise<string> {
  await run(process.execPath, [join(ROOT, "node_modules/aws-cdk/bin/cdk"), "synth", "--quiet", "--output", outdir], {
    cwd: ROOT,
  });
  const found = (await readdir(outdir)).find((name) => existsSync(join(outdir, name, "index.mjs")));
  if (found === undefined) {
    throw new Error("the app has no bundle");
  }
  return join(outdir, found);
}

/** What the bundle is made of. A metafile in the asset would change its hash, so the bundle is made again; throws when that gives other bytes. */
async function parts(bundle: Uint8Array): Promise<Metafile["outputs"][string]["inputs"]> {
  const { metafile, outputFiles = [] } = await build({ ...bundleOptions(), write: false, metafile: true });
  const made = outputFiles.find(({ path }) => path.endsWith("index.mjs"));
  if (made === undefined || Buffer.compare(made.contents, bundle) !== 0) {
    throw new Error("the bundle made here is not the one that is deployed: compare the options with infra/bundled.ts");
  }
  return metafile.outputs["index.mjs"]?.inputs ?? {};
}

function packageOf(path: string): string {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "fillbook itself";
}

async function start(folder: string, packages: string): Promise<Start> {
  const world = await openWorld(folder, {
    history: { fills: 3000, ...MARCH },
    environment: {
      FILLBOOK_ACCOUNT: "main",
      FILLBOOK_ACCOUNT_ROLE: "arn:aws:iam::000000000000:role/fillbook-account-eu-west-1",
      FILLBOOK_STORE: "s3://archive/fillbook",
      FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
    },
    secrets: ["fillbook/main"],
  });
  try {
    const invokedAt = performance.now();
    const asked = firstRequest(world);
    const { error, peakBytes } = await world.sandbox.invoke(
      { action: "sync" },
      { timeIsUp: asked.then(() => undefined) },
    );
    if (error !== undefined) {
      throw new Error(error.message);
    }
    const firstPageMs = (await asked) - invokedAt;
    return { importMs: world.sandbox.importedInMs, packagesMs: await importMs(packages), firstPageMs, peakBytes };
  } finally {
    await world.close();
  }
}

async function importMs(bundle: string): Promise<number> {
  const sandbox = await openSandbox(dirname(bundle), {});
  await sandbox.close();
  return sandbox.importedInMs;
}

/** When it was, on this process's clock. */
function firstRequest({ service: { emulator } }: World): Promise<number> {
  const { handle } = emulator;
  return new Promise((resolve) => {
    emulator.handle = (request, nowMs) => {
      resolve(performance.now());
      emulator.handle = handle;
      return handle(request, nowMs);
    };
  });
}

function sizeTable(bundle: Uint8Array, packages: Uint8Array, inputs: Metafile["outputs"][string]["inputs"]): string {
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    bytes.set(packageOf(path), (bytes.get(packageOf(path)) ?? 0) + bytesInOutput);
  }
  const sorted = [...bytes].sort(([, left], [, right]) => right - left);
  const rest = sorted.slice(BIGGEST).reduce((sum, [, size]) => sum + size, 0);
  const row = (name: string, size: number) => [name, (size / 1000).toFixed(0), percent(size / bundle.length)];
  return table(
    ["Of the bundle", "kB", "%"],
    [
      row("index.mjs", bundle.length),
      row("the same, gzip", gzipSync(bundle).length),
      row("a bundle of the packages alone, as they come", packages.length),
      ...sorted.slice(0, BIGGEST).map(([name, size]) => row(name, size)),
      row(`${sorted.length - BIGGEST} more packages`, rest),
    ],
  );
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}

function startTable(starts: readonly Start[]): string {
  const row = (name: string, pick: (one: Start) => number) => {
    const sorted = starts.map(pick).sort((left, right) => left - right);
    const at = (index: number) => (sorted.at(index) ?? Number.NaN).toFixed(0);
    return [name, at(sorted.length >> 1), at(0), at(-1)];
  };
  return table(
    [`Of ${starts.length} cold starts`, "Median", "Least", "Most"],
    [
      row("the bundle's import, ms", (one) => one.importMs),
      row("the import of the packages alone, ms", ({ packagesMs }) => packagesMs),
      row("the one by the other, %", (one) => (100 * one.importMs) / one.packagesMs),
      row("from the event to the service's first request, ms", ({ firstPageMs }) => firstPageMs),
      row("peak of the process, MB", ({ peakBytes }) => peakBytes / 1e6),
    ],
  );
}

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else {
  const outdir = await mkdtemp(join(tmpdir(), "fillbook-cold-"));
  try {
    const folder = await synthesise(outdir);
    const bundle = await readFile(join(folder, "index.mjs"));
    const inputs = await parts(bundle);
    const packages = await bundlePackages(outdir);
    const starts: Start[] = [];
    while (starts.length < STARTS) {
      starts.push(await start(folder, packages));
    }
    const [processor] = cpus();
    const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
    const text = `## A cold start of the function

\`node test/programs/bench/cold-start.ts\` measures it, \`--write\` rewrites this section. The bundle is the deployed one; each start is a process of its own with the flags of
Lambda's runtime, and S3, Secrets Manager, STS and the service are doubles on loopback: the network's part, and TLS with four hosts, are not in it. The packages alone are a bundle that imports from them what the function does, at once or late as it
does, with the same options except the one that leaves a part of undici out (\`test/handler/packages.ts\`).

${values.date}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}, ${machine}.

${sizeTable(bundle, await readFile(packages), inputs)}

${startTable(starts)}

Of these only the size is held by a test (\`test/handler/bundle.system.test.ts\`): times move with the machine.`;
    process.stdout.write(`${text}\n`);
    if (values.write) {
      writeSection("cold-start", text);
    }
  } finally {
    await rm(outdir, { recursive: true });
  }
}

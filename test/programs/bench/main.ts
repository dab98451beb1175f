import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readOptions } from "../options.ts";
import { costOfFills } from "./fills.ts";
import { costOfPacks } from "./packs.ts";
import { pageOf } from "./page.ts";
import { costOfProcesses } from "./processes.ts";
import { CCXT_VERSION } from "./tools.ts";

const HELP = `Measures what fillbook costs, beside other tools, and prints BENCHMARKS.md. Takes half an hour on two quiet cores, and 5 GB of disk.

npm run bench -- [options]

  --small   uses some thousand fills, to test in a minute that everything runs; ignore its figures
  --write   also writes BENCHMARKS.md
  --help    prints this text

The first run installs ccxt (npm), dlt, rp2 and BittyTax (pip, in virtual environments) under node_modules/.cache. Linux, Python 3.
`;

const values = readOptions(HELP, {
  small: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
});

const [fills, read, packed] = values.small ? [5000, 2000, 1000] : [1_000_000, 60_000, 60_000];
const folder = await mkdtemp(join(tmpdir(), "fillbook-bench-"));
try {
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const before = load();
  const steps = await costOfFills(fills, folder);
  const processes = await costOfProcesses(read, folder);
  const between = load();
  const packs = await costOfPacks(packed, folder);
  const model = cpus()[0]?.model.replace(/ \d+-Core.*| Processor.*/, "");
  const hardware = `${process.platform} ${process.arch}, ${cpus().length} × ${model?.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const date = new Date().toISOString().slice(0, 10);
  const about = `${date}, Node ${process.versions.node}, ${hardware}, ccxt ${CCXT_VERSION}, load ${before} before, ${between} on the way, ${load()} at the end`;
  const text = pageOf({ about, fills, steps, read, processes, packed, packs });
  process.stdout.write(text);
  if (values.write) {
    writeFileSync(join(import.meta.dirname, "../../../BENCHMARKS.md"), text);
  }
} finally {
  await rm(folder, { recursive: true });
}

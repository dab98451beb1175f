import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { systemClock } from "../../../lambda/core/clock.ts";
import { writeSection } from "../../support/benchmarks.ts";
import { type LargeAccount, largeAccount } from "../../support/large-account.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { REQUEST_MS, slowSite } from "../../web/data/slow-site.ts";
import { medianOf } from "./results.ts";
import { table } from "./table.ts";

const HELP = `What a page of an account costs, by how many packs it has.

node test/programs/bench/page.ts [--write]

  --write  also rewrites the section of BENCHMARKS.md
  --help   this text
`;

const RUNS = 9;
const ACCOUNTS = [
  { periods: 3, versions: 1 },
  { periods: 130, versions: 1 },
  { periods: 130, versions: 8 },
  { periods: 1000, versions: 1 },
  { periods: 10, versions: 100 },
  { periods: 1, versions: 1000 },
] as const;

interface Measured {
  readonly requests: number;
  /** Requests that waited for one another. */
  readonly rounds: number;
  /** By the wall clock. */
  readonly ms: number;
  /** Of the process, the page's own work and the store's. */
  readonly cpuMs: number;
  readonly bytes: number;
  readonly packedBytes: number;
}

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function targetsOf(versions: number): readonly (readonly [string, string])[] {
  const [oldest, newest] = [0, versions - 1].map((version) => version.toString(16).padStart(16, "0"));
  return [
    ["overview", "/a/main"],
    ["pack", `/a/main/p/us-2025/${newest}`],
    ["comparison", `/a/main/p/us-2025/compare?before=${oldest}&after=${newest}`],
    ["history", "/a/main/history"],
  ];
}

async function measure(account: LargeAccount, target: string): Promise<Measured> {
  // Nothing waits here, so that all time is work.
  const virtual = slowSite(account, new VirtualClock(0));
  const { page, requests, ms: waited } = await virtual.ask(target);
  const work: number[] = [];
  const walls: number[] = [];
  const real = slowSite(account, systemClock);
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await virtual.ask(target);
    const { user, system } = process.cpuUsage(before);
    work.push((user + system) / 1000);
    walls.push((await real.ask(target)).ms);
  }
  const bytes = Buffer.byteLength(page);
  const packedBytes = gzipSync(page).length;
  return { requests, rounds: waited / REQUEST_MS, ms: medianOf(walls), cpuMs: medianOf(work), bytes, packedBytes };
}

function rowOf(account: string, page: string, measured: Measured): string[] {
  const { requests, rounds, ms, cpuMs, bytes, packedBytes } = measured;
  const [kB, packedKB] = [bytes, packedBytes].map((one) => (one / 1000).toFixed(1));
  return [account, page, String(requests), String(rounds), ms.toFixed(0), cpuMs.toFixed(0), kB ?? "", packedKB ?? ""];
}

async function sectionOf(): Promise<string> {
  const rows: string[][] = [];
  for (const { periods, versions } of ACCOUNTS) {
    const account = await largeAccount({ periods, versions, gaps: 5000, downloads: 3000 });
    for (const [page, target] of targetsOf(versions)) {
      rows.push(
        rowOf(
          `${periods.toLocaleString("en")} × ${versions.toLocaleString("en")}`,
          page,
          await measure(account, target),
        ),
      );
    }
  }
  const [processor] = cpus();
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const head = [
    "Periods × versions",
    "Page",
    "Requests",
    "In a row",
    `ms at ${REQUEST_MS} a request`,
    "CPU ms",
    "kB",
    "gzip kB",
  ];
  return `## The accountant's page

\`node test/programs/bench/page.ts\` measures it, \`--write\` rewrites this section. Each page is asked of the whole site over a store in memory that takes ${REQUEST_MS} ms for a request and gives 1,000 keys
of a list at once, as S3 does; the account has ten years of coverage with 5,000 gaps, 600 commits of late fills and 3,000 downloads. Medians of ${RUNS}.

${new Date().toISOString().slice(0, 10)}, Node ${process.version.slice(1)}, ${process.platform} ${process.arch}, ${machine}.

${table(head, rows)}

Requests, those in a row, and bytes are held by \`test/web/data/quick.test.ts\`: times move with the machine.`;
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  const text = await sectionOf();
  process.stdout.write(`${text}\n`);
  if (values.write) {
    writeSection("page", text);
  }
}

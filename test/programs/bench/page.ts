import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { systemClock } from "../../../lambda/core/clock.ts";
import { type LargeAccount, largeAccount } from "../../support/large-account.ts";
import { machine } from "../../support/machine.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { REQUEST_MS, slowSite } from "../../web/data/slow-site.ts";
import type { PageResults } from "../benchmarks-page/kept.ts";
import { keep } from "../benchmarks-page/write.ts";
import { medianOf } from "./results.ts";
import { table } from "./table.ts";

const HELP = `Measures the cost of an account's pages, by its number of packs.

node test/programs/bench/page.ts [--write]

  --write  also keeps every figure in page-results.json, and writes BENCHMARKS.md again
  --help   prints this text
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
  /** Length of the longest chain of requests that wait for each other. */
  readonly rounds: number;
  /** Wall-clock time. */
  readonly ms: number;
  /** CPU time of the process, for the page and the store. */
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
  // In virtual time nothing waits, so all CPU time is work.
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

type Row = PageResults["pages"][number];

function rowOf(account: string, page: string, measured: Measured): Row {
  const { requests, rounds, ms, cpuMs, bytes, packedBytes } = measured;
  const kilobytes = (one: number) => Number((one / 1000).toFixed(1));
  const times = { ms: Math.round(ms), cpuMs: Math.round(cpuMs) };
  return { account, page, requests, inARow: rounds, ...times, kB: kilobytes(bytes), gzipKB: kilobytes(packedBytes) };
}

/**
 * Measures each page of the whole site. The store is in memory; it takes `REQUEST_MS` per request and lists
 * 1,000 keys per request, as S3 does.
 */
async function measureAll(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { periods, versions } of ACCOUNTS) {
    const account = await largeAccount({ periods, versions, gaps: 5000, downloads: 3000 });
    const name = `${periods.toLocaleString("en")} × ${versions.toLocaleString("en")}`;
    for (const [page, target] of targetsOf(versions)) {
      rows.push(rowOf(name, page, await measure(account, target)));
    }
  }
  return rows;
}

if (values.help) {
  process.stdout.write(HELP);
} else {
  const pages = await measureAll();
  const head = [
    "Periods × versions",
    "Page",
    "Requests",
    "In a row",
    `ms, at ${REQUEST_MS} per request`,
    "CPU ms",
    "kB",
    "gzip kB",
  ];
  process.stdout.write(
    `${table(
      head,
      pages.map((row) => Object.values(row).map(String)),
    )}\n`,
  );
  if (values.write) {
    keep("page", { ...machine(), pages });
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext } from "playwright-core";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { startCli } from "../cli/child.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";
import { FILES } from "../pack/pack.ts";
import { completeness, latestText, writeByHand } from "../web/data/hand-written.ts";
import { startServe } from "../web/hosts/local/served.ts";
import { samplesOf } from "../web/views/samples.ts";
import { openChromium } from "./chromium.ts";
import { serveSamples } from "./sample-site.ts";

// What the page weighs, and how soon it is seen, for BENCHMARKS.md: node test/browser/measure.ts

const RUNS = 9;
/** Months of ten years, and so many packs of each. */
const MONTHS = 125;
const VERSIONS = 8;

interface Account {
  readonly name: string;
  readonly from: string;
  readonly periods: readonly string[];
  /** Packs that are written by hand beside those. */
  readonly more: boolean;
}

const ACCOUNTS: readonly Account[] = [
  {
    name: "3 packs, a year of fills",
    from: "2025-01-01",
    periods: ["us-2025", "calendar-2025", "month-2025-03"],
    more: false,
  },
  { name: "1,000 packs, ten years of fills", from: "2015-11-21", periods: [], more: true },
];

interface View {
  readonly requests: number;
  readonly bytes: number;
  /** ms since the navigation began */
  readonly answered: number;
  readonly painted: number;
  readonly loaded: number;
}

/** Of the page that is shown now, by its Performance API. */
const VIEW = `new Promise((resolve) => {
  new PerformanceObserver((list, observer) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) { observer.disconnect(); resolve(list.getEntriesByName("first-contentful-paint")[0].startTime); }
  }).observe({ type: "paint", buffered: true });
}).then((painted) => {
  const [page] = performance.getEntriesByType("navigation");
  const others = performance.getEntriesByType("resource").filter(({ name }) => name.startsWith(location.origin));
  const bytes = [page, ...others].reduce((sum, { transferSize }) => sum + transferSize, 0);
  return { requests: 1 + others.length, bytes, answered: page.responseStart, painted, loaded: page.loadEventEnd };
})`;

async function measureAccount(browser: Browser, account: Account): Promise<readonly View[]> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-measure-"));
  const history = makeHistory({ seed: 3, fills: 2000, from: Date.parse(account.from), to: Date.UTC(2026, 10, 1) });
  const service = await startEmulator({ history });
  const environment = {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_STORE: folder,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
  };
  await ran(["sync", "--from", account.from, "--to", "2026-11-01", "--quiet"], environment);
  for (const period of account.periods) {
    await ran(["export", "--period", period, "--quiet"], environment);
  }
  if (account.more) {
    await writePacks(folder);
  }
  const served = await startServe(environment);
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(served.url);
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  const cookies = await first.cookies();
  const views: View[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    views.push(await viewOnce(await browser.newContext(), cookies, `${new URL(served.url).origin}/a/main`));
  }
  await first.close();
  await Promise.all([served.end(), service.close()]);
  await rm(folder, { recursive: true });
  return views;
}

/** With nothing of the page kept from before. */
async function viewOnce(
  context: BrowserContext,
  cookies: Parameters<BrowserContext["addCookies"]>[0],
  address: string,
): Promise<View> {
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  const view = await page.evaluate<View>(VIEW);
  await context.close();
  return view;
}

async function ran(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const { code, stderr } = await startCli(args, environment).ended;
  if (code !== 0) {
    throw new Error(`fillbook ${args[0]} ended with ${code}: ${stderr}`);
  }
}

async function writePacks(folder: string): Promise<void> {
  const store = openFolderStore(folder);
  const months = Array.from({ length: MONTHS }, (_, at) => new Date(Date.UTC(2016, at)).toISOString().slice(0, 7));
  for (const month of months) {
    const period = `month-${month}`;
    const files = {
      ...Object.fromEntries(FILES.filter((path) => path !== "SHA256SUMS").map((path) => [path, "x"])),
      "completeness.json": completeness(period),
    };
    const versions = Array.from({ length: VERSIONS }, (_, at) => at.toString(16).padStart(16, "0"));
    for (const version of versions) {
      await writeByHand(store, { period, version, files });
    }
    await store.createNew(`main/packs/${period}/latest.json`, latestText(versions.at(-1) ?? ""));
  }
}

function median(values: readonly number[]): string {
  const middle = values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return Math.round(middle).toLocaleString("en");
}

function weightRow(name: string, body: Uint8Array): string {
  return `| ${name} | ${body.length.toLocaleString("en")} | ${gzipSync(body).length.toLocaleString("en")} |`;
}

/** Of every page, and of what they load. */
async function weights(): Promise<readonly string[]> {
  const samples = samplesOf();
  const site = await serveSamples(samples);
  const assets = new Set(
    samples.flatMap(({ page }) =>
      [...page.matchAll(/(?:rel="stylesheet" href|script src)="(?<path>[^"]+)"/g)].map(
        ({ groups }) => groups?.["path"] ?? "",
      ),
    ),
  );
  const rows: string[] = [];
  for (const path of [...samples.map(({ name }) => `/${name}`), ...assets]) {
    const answer = await fetch(site.origin + path);
    rows.push(weightRow(path.slice(1), new Uint8Array(await answer.arrayBuffer())));
  }
  await site.close();
  return rows;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const browser = await openChromium();
say(
  `Chromium ${browser.version()} on ${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${process.platform} ${process.arch}, Node ${process.version}\n`,
);
say("| of the samples | bytes | gzip |\n|---|---|---|");
say((await weights()).join("\n"));
say(
  "\n| overview | requests | bytes | answered, ms | first contentful paint, ms | loaded, ms |\n|---|---|---|---|---|---|",
);
for (const account of ACCOUNTS) {
  const views = await measureAccount(browser, account);
  const { requests, bytes } = views[0] ?? { requests: 0, bytes: 0 };
  const of = (field: "answered" | "painted" | "loaded") => median(views.map((view) => view[field]));
  say(
    `| ${account.name} | ${requests} | ${bytes.toLocaleString("en")} | ${of("answered")} | ${of("painted")} | ${of("loaded")} |`,
  );
}
await browser.close();

import { mkdir, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openChromium } from "../../browser/chromium.ts";
import { start } from "../../cli/child.ts";
import { startServe } from "../../web/hosts/local/served.ts";
import { terminalSvg } from "./terminal-svg.ts";

/**
 * Makes the documents' pictures from a real run of the demo: the terminal (an SVG), the report and the page.
 * Needs Chromium. The demo makes its folder demo-out anew.
 */
const ROOT = join(import.meta.dirname, "../../..");
const OUT = join(ROOT, "docs/pictures");
const MAX_BYTES = 150_000;

async function main(): Promise<void> {
  await mkdir(OUT, { recursive: true });
  const today = new Date().toISOString().slice(0, 10);
  const { ended } = start(process.execPath, ["test/programs/demo/demo.ts"], { cwd: ROOT });
  const { code, stdout, stderr } = await ended;
  if (code !== 0) {
    throw new Error(`the demo exited with ${code}: ${stderr}`);
  }
  const said = shortened(steadyText(stdout, ROOT, today));
  const svg = terminalSvg(said, "The end of a run of npm run demo in a terminal");
  await keep("demo.svg", svg);
  const browser = await openChromium();
  try {
    await shootReport(browser);
    await shootPage(browser, today);
  } finally {
    await browser.close();
  }
}

async function shootReport(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 960, height: 800 } });
  await page.goto(pathToFileURL(join(ROOT, "demo-out/us-2025/report.html")).href);
  await keep("report.png", await page.screenshot());
  await page.close();
}

/** The account's page that `serve` shows for the demo's archive. */
async function shootPage(browser: Browser, today: string): Promise<void> {
  const served = await startServe({ FILLBOOK_STORE: join(ROOT, "demo-out/archive") });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    await page.goto(served.url);
    await page.locator("nav").first().waitFor();
    await page.goto(`${page.url().replace(/\/$/, "")}/a/main`);
    await makeSteady(page, today);
    await keep("page.png", await page.screenshot());
    await page.close();
  } finally {
    await served.end();
  }
}

/** Replaces the parts of the page's texts that differ from run to run. */
async function makeSteady(page: Page, today: string): Promise<void> {
  const texts = page.locator("body");
  const before = await texts.innerHTML();
  await texts.evaluate(
    (body, after) => {
      body.innerHTML = after;
    },
    steadyPage(steadyText(before, ROOT, today), userInfo().username),
  );
}

async function keep(name: string, content: string | Uint8Array): Promise<void> {
  const path = join(OUT, name);
  await writeFile(path, content);
  const { size } = await stat(path);
  if (size > MAX_BYTES) {
    throw new Error(`${name} has ${size} bytes, more than the limit of ${MAX_BYTES}`);
  }
  process.stdout.write(`${relative(ROOT, path)}: ${size} bytes\n`);
}

/** Replaces what differs from run to run and between machines: folders, ports and times of the run. */
function steadyText(text: string, root: string, today: string): string {
  const folder = relative("/", root);
  return text
    .replaceAll(`/${folder}/`, "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replaceAll(new RegExp(`${today}T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, "g"), "2026-02-01T09:00:00.000Z")
    .replaceAll(new RegExp(`${today} \\d\\d:\\d\\d UTC`, "g"), "2026-02-01 09:00 UTC")
    .replaceAll(today, "2026-02-01");
}

/** A pack's list of files, cut to its beginning and their number: nobody can read it while it scrolls. */
function shortened(text: string): string {
  return text.replace(/^(file +rows +size\n)((?:.+\n)+?)(?=written to )/m, (_, head: string, list: string) => {
    const files = list.trimEnd().split("\n");
    return `${head}${files.slice(0, 3).join("\n")}\n… ${files.length} files\n`;
  });
}

/** The same for the page, which writes times for people and names the signed-in user. */
function steadyPage(markup: string, user: string): string {
  return markup
    .replaceAll(/\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d UTC/g, "1 Feb 2026 09:00 UTC")
    .replaceAll(/\(\d+ days(?: \d+ hours?)?\)/g, "(30 days)")
    .replaceAll(`>${user}<`, ">ann<");
}

await main();

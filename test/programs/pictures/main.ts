import { mkdir, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
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
  const { ended } = start(process.execPath, ["test/programs/demo/demo.ts"], { cwd: ROOT });
  const { code, stdout, stderr } = await ended;
  if (code !== 0) {
    throw new Error(`the demo exited with ${code}: ${stderr}`);
  }
  const said = shortened(stdout.replaceAll(`${ROOT}/`, "")); // no picture shows this machine's folders
  const svg = terminalSvg(said, "The end of a run of npm run demo in a terminal");
  await keep("demo.svg", svg);
  const browser = await openChromium();
  try {
    await shootReport(browser);
    await shootPage(browser);
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
async function shootPage(browser: Browser): Promise<void> {
  const served = await startServe({ FILLBOOK_STORE: join(ROOT, "demo-out/archive") });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    await page.goto(served.url);
    await page.locator("nav").first().waitFor();
    await page.goto(`${page.url().replace(/\/$/, "")}/a/main`);
    await page.locator("body").evaluate((body, user) => {
      body.innerHTML = body.innerHTML.replaceAll(`>${user}<`, ">ann<");
    }, userInfo().username);
    await keep("page.png", await page.screenshot());
    await page.close();
  } finally {
    await served.end();
  }
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

/** A pack's list of files, cut to its beginning and their number: nobody can read it while it scrolls. */
function shortened(text: string): string {
  return text.replace(/^(file +rows +size\n)((?:.+\n)+?)(?=written to )/m, (_, head: string, list: string) => {
    const files = list.trimEnd().split("\n");
    return `${head}${files.slice(0, 3).join("\n")}\n… ${files.length} files\n`;
  });
}

await main();

import { unzipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { type Served, startServe } from "../web/hosts/local/served.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { listenTo, NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { download } from "./flow.ts";

// What a person uploads through the page: the program in its own process, a service, and Chromium.

const OPENING = "market,quantity,average_price,as_of,evidence\nBTC-USD,1.5,40000,2025-03-01T00:00:00Z,statement\n";

describe.skipIf(SKIP)(`files uploaded through the page, in Chromium${NO_BROWSER}`, () => {
  let browser: Browser;
  let service: RunningEmulator;

  beforeAll(async () => {
    const history = makeHistory({ seed: 5, fills: 300, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) });
    [browser, service] = await Promise.all([openChromium(), startEmulator({ history })]);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), service.close()]);
  });

  async function serve(): Promise<Served> {
    const served = await startServe({
      FILLBOOK_ACCOUNT_URL: service.accountUrl,
      FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
      FILLBOOK_STORE: temporaryFolder(),
      FILLBOOK_TOKEN: SAMPLE_TOKEN,
    });
    onTestFinished(async () => {
      await served.end();
    });
    return served;
  }

  /** Opens the printed address, and then the page of the files. */
  async function openFiles(served: Served) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    onTestFinished(() => context.close());
    const heard = listenTo(context);
    const page = await context.newPage();
    await page.goto(served.url);
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    const origin = page.url().replace(/\/$/, "");
    await page.getByRole("main").getByRole("link", { name: "main", exact: true }).click();
    await page.getByRole("link", { name: "Upload a file" }).click();
    await page.getByRole("heading", { level: 1, name: "Your files" }).waitFor();
    return { page, origin, heard };
  }

  const chosen = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

  async function put(page: Page, name: string, text: string): Promise<void> {
    await page.getByLabel("File", { exact: true }).setInputFiles(chosen(name, text));
    await page.getByRole("button", { name: "Check and upload" }).click();
  }

  async function looksRight(page: Page, name: string): Promise<void> {
    expect([name, await violationsOf(page), await overflowOf(page)]).toEqual([name, [], 0]);
  }

  test("a wrong file, the right one, a pack made with it, and its removal", async () => {
    const { page, heard, origin } = await openFiles(await serve());
    await looksRight(page, "none");
    await put(page, "opening-positions.csv", OPENING.replace("1.5", "1,5"));
    const field = page.getByLabel("File", { exact: true });
    await page.getByText("The file was not uploaded.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("opening-positions.csv, line 2: the line has 6 cells, but the header has 5").waitFor();
    await looksRight(page, "refused");

    await put(page, "opening-positions.csv", OPENING);
    await page.getByText("opening-positions.csv is here: 1 opening position.").waitFor();
    await looksRight(page, "put");
    const given = await download(page, page.getByRole("link", { name: "opening-positions.csv", exact: true }));
    expect([given.name, given.bytes.toString()]).toEqual(["opening-positions.csv", OPENING]);

    await page.goto(`${origin}/a/main/make`);
    await page.getByText("A month", { exact: true }).click();
    await page.getByLabel("Month").selectOption("month-2025-03");
    await page.getByRole("button", { name: "Make this pack" }).click();
    await page.getByRole("link", { name: "Open the pack" }).click();
    const zip = await download(page, page.getByRole("link", { name: "Download everything (ZIP)" }));
    const files = Object.entries(unzipSync(zip.bytes));
    const [, copy] = files.find(([path]) => path.endsWith("/inputs/opening-positions.csv")) ?? [];
    expect(Buffer.from(copy ?? []).toString()).toBe(OPENING);
    const [, completeness] = files.find(([path]) => path.endsWith("/completeness.json")) ?? [];
    expect(Buffer.from(completeness ?? []).toString()).toContain("inputs/opening-positions.csv");

    await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
    await page.locator("[data-input] summary").click();
    await looksRight(page, "to be removed");
    await page.getByRole("button", { name: "Remove opening-positions.csv" }).click();
    await page.getByText("opening-positions.csv was removed.").waitFor();
    await looksRight(page, "removed");
    // The browser reports the answer to the wrong file, and nothing else.
    expect(heard.complaints).toEqual([
      `error at ${origin}/a/main/files: Failed to load resource: the server responded with a status of 400 (Bad Request)`,
    ]);
  });
});

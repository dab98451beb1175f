import { userInfo } from "node:os";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { startServe } from "../web/hosts/local/served.ts";
import { listenTo, NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { runFlow } from "./flow.ts";

// The page as a person uses it: the program in its own process, a service, and Chromium.

/** Slow enough for a page to show the running job. */
const SLOW = { latency: { ms: 1000, jitterMs: 0 } };
const FUNDING = "time,market,amount,currency,source\n2025-03-02T00:00:00Z,BTC-USD,-1.5,USD,statement\n";
const FAST = { latency: { ms: 0, jitterMs: 0 } };

describe.skipIf(SKIP)(`the page on this machine, in Chromium${NO_BROWSER}`, () => {
  let browser: Browser;
  let service: RunningEmulator;

  beforeAll(async () => {
    const history = makeHistory({ seed: 5, fills: 1500, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
    [browser, service] = await Promise.all([openChromium(), startEmulator({ history })]);
    service.emulator.setSwitches(SLOW);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), service.close()]);
  });

  test("sign in, make us-2025, watch it, read the report, take a file and the ZIP, sign out", async () => {
    const served = await startServe(service.environment(temporaryFolder()));
    const context = await browser.newContext({ viewport: { width: 768, height: 1024 } });
    onTestFinished(async () => {
      await Promise.all([context.close(), served.end()]);
    });
    const heard = listenTo(context);
    const page = await context.newPage();
    // The printed address leads to the accounts by itself, below the session's path.
    await page.goto(served.url);
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    const origin = page.url().replace(/\/$/, "");
    await upload(page, `${origin}/a/main/files`);
    const { pack, files } = await runFlow(page, {
      ...{ origin, account: "main", user: userInfo().username, period: "us-2025", hasZip: true },
      signedOut: "You are signed out",
      atWork: () => service.emulator.setSwitches(FAST),
    });
    expect(Buffer.from(files.get("inputs/funding.csv") ?? []).toString()).toBe(FUNDING);

    expect(files.size).toBeGreaterThan(20);
    const home = new URL(origin).origin;
    const elsewhere = heard.requests.filter((address) => !/^data:/.test(address) && new URL(address).origin !== home);
    expect(elsewhere).toEqual([]);
    // The browser tells of the wrong file, and of each page that is refused: those after signing out.
    const after = [`${home}/`, `${origin}/a/main/history`, `${origin}/a/main`, `${origin}${pack}`];
    expect(heard.complaints).toEqual(
      [`${origin}/a/main/files`, ...after].map((url) =>
        expect.stringMatching(`^error at ${url}: .* status of 40[01] `),
      ),
    );
    const { code, stdout, stderr } = await served.end();
    expect([code, stdout.trim().split("\n").length]).toEqual([0, 1]);
    expect(stderr).toMatch(/export of main done: The pack is ready\./);
    expect(stdout + stderr).not.toContain(SAMPLE_TOKEN);
  });
});

/** A wrong file, and the right one. */
async function upload(page: Page, address: string): Promise<void> {
  const put = async (text: string) => {
    const file = { name: "funding.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
    await page.getByLabel("File", { exact: true }).setInputFiles(file);
    await page.getByRole("button", { name: "Check and upload" }).click();
  };
  await page.goto(address);
  await put(FUNDING.replace("1.5", "1,5"));
  await page.getByRole("alert").getByText("funding.csv, line 2").waitFor();
  await put(FUNDING);
  await page.getByText("funding.csv is here.").waitFor();
}

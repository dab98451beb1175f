import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { samplesOf } from "../web/views/samples.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { type SampleSite, serveSamples } from "./sample-site.ts";

// The script of a job's page, in a browser whose clock only the test moves.

const SAMPLES = samplesOf();
const sampleOf = (name: string) => SAMPLES.find((sample) => sample.name === name)?.page ?? "";
const LOST = "The page cannot be reached at the moment.";
/** More than the script ever waits. */
const WAIT_MS = 6000;

type Answer = "lost" | { readonly status: number; readonly body: string };

describe.skipIf(SKIP)(`the script of a job's page${NO_BROWSER}`, () => {
  let browser: Browser;
  let site: SampleSite;
  let page: Page;
  let answer: Answer;
  let navigations: number;

  beforeAll(async () => {
    [browser, site] = await Promise.all([openChromium(), serveSamples(SAMPLES)]);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), site.close()]);
  });

  beforeEach(async () => {
    page = await browser.newPage();
    await page.clock.install();
    answer = { status: 200, body: sampleOf("job-running") };
    navigations = 0;
    await page.route("**/job-running", (route) =>
      answer === "lost" ? route.abort() : route.fulfill({ ...answer, contentType: "text/html; charset=utf-8" }),
    );
    await page.goto(`${site.origin}/job-running`);
    page.on("framenavigated", () => {
      navigations += 1;
    });
  });

  afterEach(async () => {
    await page.close();
  });

  /** Lets the script send one more request, and answers it with `told`. */
  async function asksAndHears(told: Answer): Promise<void> {
    answer = told;
    const asked = page.waitForRequest("**/job-running");
    await page.clock.fastForward(WAIT_MS);
    await asked;
  }

  const lost = () => page.getByRole("status").getByText(LOST);

  test.each<[string, Answer]>([
    ["there is no answer", "lost"],
    ["the page is at fault", { status: 502, body: "<p>Bad gateway</p>" }],
    ["there are too many requests", { status: 429, body: "{}" }],
  ])("when %s it shows this, keeps trying, and shows the end once there is an answer", async (_, fault) => {
    await asksAndHears(fault);
    await lost().waitFor();
    await asksAndHears(fault);
    await asksAndHears({ status: 200, body: sampleOf("job-running") });
    await page.getByText("Reading March 2025: 12,400 fills so far.").waitFor();
    expect(await lost().count()).toBe(0);
    await asksAndHears({ status: 200, body: sampleOf("job-done") });
    await page.getByText("The pack is ready.").waitFor();
    expect(navigations).toBe(0);
  });

  test.each([
    ["the session has ended", 401, "sign-in"],
    ["the job is no longer known", 404, "refused"],
    ["another page is there", 200, "accounts"],
  ])("when %s the browser reloads the page", async (_, status, name) => {
    const title = /<title>(?<title>[^<]*)</.exec(sampleOf(name))?.groups?.["title"] ?? "";
    await asksAndHears({ status, body: sampleOf(name) });
    await page.waitForFunction(`document.title === ${JSON.stringify(title)}`);
    expect(navigations).toBe(1);
  });
});

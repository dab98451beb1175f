import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../lambda/core/clock.ts";
import { startServer } from "../../lambda/web/hosts/local/server.ts";
import { REPORT_POLICY, securityHeaders } from "../../lambda/web/security.ts";
import { SCRIPT_ASSET, STYLE_ASSET } from "../../lambda/web/views/assets.ts";
import { samplesOf } from "../web/views/samples.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";

const SAMPLES = samplesOf();
const sampleOf = (name: string) => SAMPLES.find((sample) => sample.name === name)?.page ?? "";

type SampleSite = Awaited<ReturnType<typeof serveSamples>>;

const REPORT = "<!DOCTYPE html><title>Statement</title><p>of main</p>";

/** Serves each page by its name, with the site's own headers, style and script. */
async function serveSamples() {
  const pages = new Hono().use(securityHeaders);
  for (const { path, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    pages.get(path, (c) => c.body(text, 200, { "content-type": type }));
  }
  for (const { name, page } of SAMPLES) {
    pages.get(`/${name}`, (c) => c.html(page));
  }
  pages.get("*", (c) =>
    c.req.path.endsWith("/report") ? c.html(REPORT, 200, { "content-security-policy": REPORT_POLICY }) : c.notFound(),
  );
  const server = await startServer(0, systemClock, () => (request) => pages.fetch(request));
  return { origin: `http://127.0.0.1:${server.port}`, close: () => server.close() };
}

/** A phone by day and a desktop at night: CSS pixels. */
const SCREENS = [
  [360, "light"],
  [1280, "dark"],
] as const;
const HEIGHT = 900;
/** Opens everything that is folded, so that it is checked too. */
const UNFOLD =
  "for (const details of document.querySelectorAll('details')) { details.removeAttribute('name'); details.open = true; }";

const LOST = "The page cannot be reached at the moment.";
/** More than the script ever waits. */
const WAIT_MS = 6000;

type Answer = "lost" | { readonly status: number; readonly body: string };

describe.skipIf(SKIP)(`each page, in Chromium${NO_BROWSER}`, () => {
  let browser: Browser;
  let site: SampleSite;

  beforeAll(async () => {
    [browser, site] = await Promise.all([openChromium(), serveSamples()]);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), site.close()]);
  });

  test.each(SCREENS)(
    "every page is accessible, and no wider than its window: %i pixels wide, %s",
    async (width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme });
      for (const { name } of SAMPLES) {
        await page.goto(`${site.origin}/${name}`);
        const overflow = await overflowOf(page);
        await page.evaluate(UNFOLD);
        expect([name, overflow, await overflowOf(page)]).toEqual([name, 0, 0]);
        expect([name, await violationsOf(page)]).toEqual([name, []]);
      }
      await page.close();
    },
  );

  // In a browser whose clock only the test moves.
  describe("the script of a job's page", () => {
    let page: Page;
    let answer: Answer;
    let navigations: number;

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
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samplesOf } from "../web/views/samples.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { type SampleSite, serveSamples } from "./sample-site.ts";

// Checks every page as a browser shows it: what axe-core finds, and whether a page is wider than its window.

const SAMPLES = samplesOf();
/** A phone by day and a desktop at night: CSS pixels. */
const SCREENS = [
  [360, "light"],
  [1280, "dark"],
] as const;
const HEIGHT = 900;
/** Opens everything that is folded, so that it is checked too. */
const UNFOLD =
  "for (const details of document.querySelectorAll('details')) { details.removeAttribute('name'); details.open = true; }";

describe.skipIf(SKIP)(`every page is accessible and fits${NO_BROWSER}`, () => {
  let browser: Browser;
  let site: SampleSite;

  beforeAll(async () => {
    [browser, site] = await Promise.all([openChromium(), serveSamples(SAMPLES)]);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), site.close()]);
  });

  test.each(SCREENS)("%i pixels wide, %s", async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme });
    for (const { name } of SAMPLES) {
      await page.goto(`${site.origin}/${name}`);
      const overflow = await overflowOf(page);
      await page.evaluate(UNFOLD);
      expect([name, overflow, await overflowOf(page)]).toEqual([name, 0, 0]);
      expect([name, await violationsOf(page)]).toEqual([name, []]);
    }
    await page.close();
  });
});

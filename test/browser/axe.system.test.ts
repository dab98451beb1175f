import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samplesOf } from "../web/views/samples.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { type SampleSite, serveSamples } from "./sample-site.ts";

// Checks every page as a browser shows it: what axe-core finds, and whether a page is wider than its window.

const SAMPLES = samplesOf();
/** A phone and a desktop: CSS pixels. */
const WIDTHS = [360, 1280] as const;
const HEIGHT = 900;
const SCHEMES = ["light", "dark"] as const;
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

  test.each(WIDTHS)("%i pixels wide, light and dark", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: HEIGHT } });
    for (const { name } of SAMPLES) {
      await page.goto(`${site.origin}/${name}`);
      const overflow = await overflowOf(page);
      await page.evaluate(UNFOLD);
      expect([name, overflow, await overflowOf(page)]).toEqual([name, 0, 0]);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        expect([name, colorScheme, await violationsOf(page)]).toEqual([name, colorScheme, []]);
      }
    }
    await page.close();
  });
});

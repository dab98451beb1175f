import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samplesOf } from "../web/views/samples.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { type SampleSite, serveSamples } from "./sample-site.ts";

// Checks every page as a browser shows it: what axe-core finds, and whether a page is wider than its window.

const SAMPLES = samplesOf();
/** A phone, a tablet, a desktop: CSS pixels. */
const WIDTHS = [360, 768, 1280] as const;
const HEIGHT = 900;
const SCHEMES = ["light", "dark"] as const;
/** Opens everything that is folded, so that it is checked too. */
const UNFOLD =
  "for (const details of document.querySelectorAll('details')) { details.removeAttribute('name'); details.open = true; }";
/**
 * Controls less than 44 CSS pixels high (links within a sentence do not count), and how many primary actions
 * a page shows.
 */
const MEASURE = `(() => {
  const shown = (element) => element.checkVisibility();
  const pressed = "button, .button, input:not([type=hidden]):not([type=radio]), select, summary, .choice, nav a, .brand a, .name > a, a.name, .rows > li > a";
  const low = [...document.querySelectorAll(pressed)]
    .filter((element) => shown(element) && element.getBoundingClientRect().height < 44)
    .map((element) => element.outerHTML.slice(0, 80) + " " + element.getBoundingClientRect().height);
  return [low, [...document.querySelectorAll(".primary")].filter(shown).length];
})()`;
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

  test("on a phone, controls are large enough for a finger, and a page has one primary action", async () => {
    const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: HEIGHT } });
    for (const { name } of SAMPLES) {
      await page.goto(`${site.origin}/${name}`);
      const [low, first] = await page.evaluate<[string[], number]>(MEASURE);
      expect([name, low]).toEqual([name, []]);
      expect([name, first]).toEqual([name, Math.min(first, 1)]);
    }
    await page.close();
  });

  test.each(["W".repeat(120), "a-b ".repeat(30)])("long names fit on a phone: %s", async (longName) => {
    const samples = samplesOf((usual) => `${longName}${usual}`);
    const long = await serveSamples(samples);
    const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: HEIGHT } });
    for (const { name } of samples) {
      await page.goto(`${long.origin}/${name}`);
      expect([name, await overflowOf(page)]).toEqual([name, 0]);
    }
    await Promise.all([page.close(), long.close()]);
  });
});

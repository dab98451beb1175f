import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samplesOf } from "../web/views/samples.ts";
import { overflowOf, violationsOf } from "./axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "./chromium.ts";
import { type SampleSite, serveSamples } from "./sample-site.ts";

// Every page as a browser shows it: what axe-core finds, and whether a page is wider than its window.

const SAMPLES = samplesOf();
/** A phone, a tablet, a desk: CSS pixels. */
const WIDTHS = [360, 768, 1280] as const;
const HEIGHT = 900;
const SCHEMES = ["light", "dark"] as const;
/** A cell's text runs into the next cell; the page itself fits. */
const SPOIL_TABLE = `document.querySelector("main").innerHTML = '<table><tr><td>wideandneverbrokenatall</td><td>next</td></tr></table>';
document.querySelector("td").style.cssText = "display: block; width: 3rem; overflow-wrap: normal";`;
/** What is folded away is looked at too. */
const UNFOLD =
  "for (const details of document.querySelectorAll('details')) { details.removeAttribute('name'); details.open = true; }";
/** Not by attributes of style, which the page's policy forbids. */
const SPOIL = `const main = document.querySelector("main");
main.innerHTML = '<img src="data:,"><p>faint</p><div>wide</div>';
main.querySelector("p").style.color = "#ddd";
main.querySelector("div").style.width = "5000px";`;

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

  test("what axe-core is asked for finds what is wrong", async () => {
    const page = await browser.newPage();
    await page.goto(`${site.origin}/accounts`);
    await page.evaluate(SPOIL);
    const found = (await violationsOf(page)).map((line) => line.slice(0, line.indexOf(":")));
    expect(found).toEqual(expect.arrayContaining(["color-contrast", "image-alt", "page-has-heading-one"]));
    expect(await overflowOf(page)).toBeGreaterThan(3000);
    await page.evaluate(SPOIL_TABLE);
    expect(await overflowOf(page)).toBeGreaterThan(50);
    await page.close();
  });
});

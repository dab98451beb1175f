import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { booksOf } from "../../accounting/make.ts";
import { violationsOf } from "../../browser/axe.ts";
import { NO_BROWSER, openChromium, SKIP } from "../../browser/chromium.ts";
import { drawFills, pageOf } from "../books.ts";
import { CASES, type Case } from "./cases.ts";

/** A phone and a desktop: CSS pixels. */
const WIDTHS = [360, 1280] as const;
const [TRADED, NOTHING, INCOMPLETE, UNKNOWN] = CASES as readonly [Case, Case, Case, Case];

/** Elements wider than their window, frame or cell. */
const WIDER = `[document.documentElement, ...document.querySelectorAll(".scroll, figure, tbody th, td")]
  .filter((frame) => frame.scrollWidth > frame.clientWidth)
  .map((frame) => frame.tagName + " " + frame.textContent.slice(0, 60))`;

/** Labels of one drawing that overlap. */
const OVERLAPPING = `[...document.querySelectorAll("svg")].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll("text")].map((label) => [label.textContent, label.getBoundingClientRect()]);
  return boxes.flatMap(([text, a], at) =>
    boxes.slice(at + 1)
      .filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
      .map(([other]) => text + " on " + other));
})`;

/** The text of the margin boxes on paper. */
const MARGINS = `[...document.styleSheets[0].cssRules]
  .filter((rule) => rule instanceof CSSPageRule)
  .flatMap((rule) => [...rule.cssRules].map((box) => [box.name, box.style.content]))`;

/** A string of a style sheet (CSS Syntax 3, section 4.3.7). */
function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\(?:([0-9a-f]{1,6}) ?|(.))/g, (_, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}

describe.skipIf(SKIP)(`the page as a browser lays it out${NO_BROWSER}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  async function opened(one: Case, width: number): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.setContent(pageOf(one.books, one));
    return page;
  }

  test.each(WIDTHS.flatMap((width) => [TRADED, NOTHING, INCOMPLETE, UNKNOWN].map((one) => ({ width, one }))))(
    "$one.name, $width pixels wide: nothing scrolls sideways, no labels overlap, and axe finds nothing",
    async ({ width, one }) => {
      const page = await opened(one, width);
      expect(await page.evaluate(WIDER)).toEqual([]);
      expect(await page.evaluate(OVERLAPPING)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    },
  );

  test("on a phone each entry of the contents is 44 pixels high", async () => {
    const page = await opened(TRADED, WIDTHS[0]);
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('nav a')].map((link) => link.getBoundingClientRect().height)",
    );
    expect(heights.length).toBeGreaterThan(5);
    expect(heights.filter((height) => height < 44)).toEqual([]);
    await page.close();
  });

  test.each([
    { name: "a month", days: 31 },
    { name: "a year", days: 366 },
    { name: "two years and a half", days: 900 },
    { name: "twenty years", days: 7300 },
  ])("no labels overlap in a period of $name", async ({ days }) => {
    const from = Date.UTC(2001, 10, 1);
    const to = from + days * DAY_MS;
    const [firstDay, lastDay] = [from, to - DAY_MS].map((ms) => new Date(ms).toISOString().slice(0, 10));
    const period = {
      name: "custom",
      from,
      to,
      zone: "UTC",
      firstDay: firstDay ?? "",
      lastDay: lastDay ?? "",
    };
    const page = await opened({ name: "", books: booksOf(drawFills(600, from, to), { period }) }, WIDTHS[0]);
    expect(await page.evaluate(OVERLAPPING)).toEqual([]);
    expect(await page.evaluate("document.querySelectorAll('svg text').length")).toBeGreaterThan(5);
    await page.close();
  });

  test("a year takes at most eight sheets of paper, and the first holds only the statement", async () => {
    const page = await opened(TRADED, WIDTHS[1]);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.querySelector('.cover')).breakAfter")).toBe("page");
    const sheets = async () =>
      (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;
    expect(await sheets()).toBeLessThanOrEqual(8);
    await page.evaluate("document.querySelector('nav').remove(); document.querySelector('main').remove()");
    expect(await sheets()).toBe(1);
    await page.close();
  });

  test.each(["main", `"; } body { display: none } </style><script>x</script>\\22 \n`])(
    "account, period and page number are at the foot of each sheet: %s",
    async (account) => {
      const one = { ...TRADED, context: { accounts: [{ ...TRADED.books.own, account }] } };
      const page = await opened(one, WIDTHS[1]);
      const margins = Object.fromEntries((await page.evaluate(MARGINS)) as [string, string][]);
      expect(unquoted(margins["bottom-left"] ?? "")).toBe(
        `Account ${account}, 2025-01-01 to 2025-12-31, excl. funding`,
      );
      expect(margins["bottom-right"]).toContain("counter(page)");
      await page.close();
    },
  );
});

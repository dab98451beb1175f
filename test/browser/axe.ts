import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All rules of axe-core, including best practices. Frames are skipped: the report has tests of its own. */
const RUN = `axe.run({ iframes: false, resultTypes: ["violations"] }).then(({ passes, violations }) => ({
  passes: passes.length,
  violations: violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")),
}))`;

/** The faults of a page as it is shown now, one line a rule. Throws if axe-core checked nothing. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) {
    await page.evaluate(SOURCE);
  }
  const { passes, violations } = await page.evaluate<{ passes: number; violations: string[] }>(RUN);
  if (passes === 0) {
    throw new Error("axe-core found nothing to look at");
  }
  return violations;
}

/**
 * How many CSS pixels a page is wider than its window, or a cell's text wider than its cell; the larger of
 * both.
 */
export async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate<number>(`Math.max(
    document.documentElement.scrollWidth - window.innerWidth,
    ...[...document.querySelectorAll("th, td")].map((cell) => cell.scrollWidth - cell.clientWidth),
  )`);
}

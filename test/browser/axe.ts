import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Every rule that axe-core has, best practices too. What is in frames is not looked into: the report has
 * tests of its own.
 */
const RUN = `axe.run({ iframes: false, resultTypes: ["violations"] }).then(({ passes, violations }) => ({
  passes: passes.length,
  violations: violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")),
}))`;

/** What is wrong with a page as it is shown now, a line a rule. Throws when nothing was looked at. */
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

/** CSS pixels that a page is wider than its window, or a cell's text than its cell, whichever is more. */
export async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate<number>(`Math.max(
    document.documentElement.scrollWidth - window.innerWidth,
    ...[...document.querySelectorAll("th, td")].map((cell) => cell.scrollWidth - cell.clientWidth),
  )`);
}

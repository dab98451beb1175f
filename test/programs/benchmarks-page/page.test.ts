import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderPage } from "./page.ts";
import { svgOf } from "./plot.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** The page's maximum length in bytes. */
const LONGEST = 8000;

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

test("the page and its plots follow from the kept results; to write them, run node test/programs/benchmarks-page/main.ts", () => {
  const { text, pictures } = renderPage();
  expect(read("BENCHMARKS.md")).toBe(text);
  for (const [path, svg] of Object.entries(pictures)) {
    expect(read(path)).toBe(svg);
  }
});

test("the page is short, its files exist, and no figure is missing", () => {
  const { text, pictures } = renderPage();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST);
  expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  expect(Object.values(pictures).join("")).not.toMatch(/NaN|undefined|Infinity/);
  for (const [, link = ""] of text.matchAll(/\]\(([^)]+)\)/g)) {
    expect(read(link).length).toBeGreaterThan(0);
  }
});

test("a plot places its points by two logarithmic axes", () => {
  const plot = { title: "t", xTitle: "x", yTitle: "y", xMarks: [1, 100], yMarks: [1, 100] };
  const svg = svgOf({
    ...plot,
    lines: [
      {
        name: "<n>",
        colour: "red",
        points: [
          [1, 100],
          [10, 10],
          [100, 1],
        ],
      },
    ],
  });
  // The frame reaches from 64 to 520 and, downwards, from 40 to 300. 10 is in the middle of both.
  expect(svg).toContain('<path d="M64 40L292 170L520 300"');
  expect(svg).toContain("&lt;n>");
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, type Kept } from "./kept.ts";
import { renderPage } from "./page.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Keeps a program's results, and writes BENCHMARKS.md and its plots again. */
export function keep<Name extends keyof Kept>(name: Name, results: Kept[Name]): void {
  writeFileSync(FILES[name], `${JSON.stringify(results, null, 2)}\n`);
  writePage();
}

export function writePage(): void {
  const { text, pictures } = renderPage();
  writeFileSync(join(ROOT, "BENCHMARKS.md"), text);
  for (const [path, svg] of Object.entries(pictures)) {
    writeFileSync(join(ROOT, path), svg);
  }
}

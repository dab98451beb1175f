import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "..", "..", "BENCHMARKS.md");

/** Puts a text between its markers in BENCHMARKS.md, or at the end where there are none yet. */
export function writeSection(name: string, text: string): void {
  const block = `<!-- ${name} -->\n${text}\n<!-- /${name} -->`;
  const old = readFileSync(PAGE, "utf8");
  const start = old.indexOf(`<!-- ${name} -->`);
  const last = `<!-- /${name} -->`;
  const end = old.indexOf(last, start);
  const has = start !== -1 && end !== -1;
  writeFileSync(
    PAGE,
    has ? old.slice(0, start) + block + old.slice(end + last.length) : `${old.trimEnd()}\n\n${block}\n`,
  );
}

/** The lines of a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

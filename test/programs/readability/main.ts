import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readabilityOf } from "./reading-ease.ts";

const HELP = `Measures the documents by Flesch's reading ease (60 to 70 is plain English).

npm run readability -- [options] [FILE …]

  --before COMMIT   also measures the documents of that commit
  --help            prints this text

Without FILE, it measures every Markdown document in the root and in docs/.
`;

const ROOT = join(import.meta.dirname, "../../..");

function row(where: string, path: string, text: string): string {
  const { words, wordsPerSentence, ease } = readabilityOf(text);
  const cells = [String(Buffer.byteLength(text)), String(words), wordsPerSentence.toFixed(1), ease.toFixed(1)];
  return `${where.padEnd(8)} ${path.padEnd(26)} ${cells.map((cell) => cell.padStart(9)).join("")}`;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
}

const { values, positionals } = parseArgs({
  options: { before: { type: "string" }, help: { type: "boolean", default: false } },
  allowPositionals: true,
});
const lines = values.help ? [HELP] : [`${"".padEnd(36)}     bytes    words  words/s.     ease`];
if (!values.help) {
  const now = positionals.length > 0 ? positionals : globSync(["*.md", "docs/*.md"], { cwd: ROOT }).sort();
  if (values.before !== undefined) {
    const { before } = values;
    const listed = git("ls-tree", "-r", "--name-only", before).split("\n");
    const documents = listed.filter((path) => /^(?:docs\/)?[A-Z][A-Z]+\.md$|^docs\/[^/]+\.md$/.test(path));
    const then = positionals.length > 0 ? positionals : documents;
    lines.push(...then.map((path) => row("before", path, git("show", `${before}:${path}`))));
  }
  lines.push(...now.map((path) => row("now", path, readFileSync(join(ROOT, path), "utf8"))));
}
process.stdout.write(`${lines.join("\n")}\n`);

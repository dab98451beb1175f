import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../infra/settings.ts";
import type { Command } from "../lambda/cli/commands/command.ts";
import { COMMANDS } from "../lambda/cli/commands/table.ts";
import { inputsOf } from "../lambda/inputs/inputs.ts";
import { SCHEMA } from "../lambda/job/settings.ts";
import { parseAccountSettings } from "../lambda/pack/build/account-settings.ts";
import { readabilityOf } from "./programs/readability/reading-ease.ts";

// The documents are short, agree with each other, and name only what the program has.

const ROOT = join(import.meta.dirname, "..");
const PATHS = globSync(["*.md", "docs/*.md"], { cwd: ROOT }).sort();
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const DOCUMENTS = PATHS.map((path) => ({ path, text: textOf(path) }));
/** Programs write these documents. */
const GENERATED = ["BENCHMARKS.md"];

describe("no document exceeds its size limit", () => {
  test.each([
    ["README.md", 6000],
    ["CONTRIBUTING.md", 3000],
    ["CHANGELOG.md", 8000],
    ["ARCHITECTURE.md", 12_000],
    ["RUNBOOK.md", 20_000],
  ])("%s", (path, most) => {
    expect(Buffer.byteLength(textOf(path))).toBeLessThanOrEqual(most);
  });

  test("all documents together", () => {
    const own = DOCUMENTS.filter(({ path }) => !GENERATED.includes(path));
    const bytes = own.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(130_000);
  });
});

describe("DECISIONS.md", () => {
  const records = textOf("DECISIONS.md").split(/^## /m).slice(1);

  test("has twenty records, numbered", () => {
    expect(records.map((record) => Number.parseInt(record, 10))).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  test.each(records.map((record) => [record.split("\n")[0] ?? "", record] as const))(
    "%s: context, decision, consequence, in 700 characters",
    (_, record) => {
      expect([...record.trim()].length).toBeLessThanOrEqual(700);
      expect(record).toMatch(/^\*\*Context\.\*\* .*\n\*\*Decision\.\*\* .*\n\*\*Consequence\.\*\* /m);
    },
  );
});

describe("RUNBOOK.md", () => {
  const [contents = "", ...sections] = textOf("RUNBOOK.md").split(/^## /m);

  test("begins with a table of contents that lists every section", () => {
    const missing = sections.map((one) => one.split("\n")[0] ?? "").filter((one) => !contents.includes(`[${one}](`));
    expect(missing).toEqual([]);
  });

  test("tells for each alarm what it means, where to look and what to do", () => {
    const alarms = sections.filter((one) => one.includes("**Means.**"));
    expect(alarms.length).toBeGreaterThanOrEqual(15);
    expect(alarms.filter((one) => !/\*\*Means\.[\s\S]*\*\*Look\.[\s\S]*\*\*Do\./.test(one))).toEqual([]);
  });
});

/** The anchor that GitHub makes for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The text without code blocks and inline code. */
function proseOf(text: string): string {
  return text.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gm, "").replaceAll(/`[^`\n]+`/g, "");
}

function headingsOf(path: string): readonly string[] {
  const text = textOf(path).replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
}

test("the target of every link exists, and so does its heading", () => {
  const broken = DOCUMENTS.flatMap(({ path, text }) =>
    [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !(link.startsWith("https://") || isThere(path, link)))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function isThere(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : normalize(join(dirname(from), file));
  return existsSync(join(ROOT, target)) && (anchor === undefined || headingsOf(target).map(anchorOf).includes(anchor));
}

test("a document shows every picture, and each picture is small", () => {
  const pictures = globSync("docs/pictures/*", { cwd: ROOT });
  expect(pictures.length).toBeGreaterThan(2);
  const shown = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, link = ""]) => normalize(join(dirname(path), link))),
  );
  expect(pictures.sort()).toEqual([...new Set(shown)].sort());
  expect(pictures.filter((path) => statSync(join(ROOT, path)).size > 150_000)).toEqual([]);
});

test("the README links to every document in docs/", () => {
  expect(PATHS.filter((path) => path.startsWith("docs/") && !textOf("README.md").includes(`(${path})`))).toEqual([]);
});

test("every section that the code refers to exists", () => {
  const sources = globSync(["lambda/**/*.{ts,md}", "infra/**/*.{ts,js}", "test/**/*.ts"], { cwd: ROOT });
  const named = sources.flatMap((source) =>
    [...textOf(source).matchAll(/\b((?:docs\/)?[\w-]+)(?:\.md)?, ["']([A-Z][^"'\n]{2,60})["']/g)]
      .map(([, document = "", heading = ""]) => ({ source, document: `${document}.md`, heading }))
      .filter(({ document }) => PATHS.includes(document) && !GENERATED.includes(document)),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ document, heading }) => !headingsOf(document).includes(heading))).toEqual([]);
});

test("every file that the documents name exists", () => {
  const sources = globSync(["**/*.{ts,js,json,md}", ".ci/run"], { cwd: ROOT, exclude: ["node_modules", "demo-out"] });
  const isFile = (path: string) => sources.some((source) => source === path || source.endsWith(`/${path}`));
  const isFolder = (path: string) => sources.some((source) => `/${source}`.includes(`/${path}`));
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/sizing.md"].flatMap((path) =>
    [...textOf(path).matchAll(/`([a-z][\w./-]*(?:\.ts|\/))`/g)].map(([, file = ""]) => ({ path, file })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !(file.endsWith("/") ? isFolder(file) : isFile(file)))).toEqual([]);
});

/** The lines of sh blocks, and all inline code. */
const CODE = DOCUMENTS.filter(({ path }) => !GENERATED.includes(path)).flatMap(({ path, text }) => {
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = ""]) => block.split("\n"));
  const pieces = [...text.matchAll(/`([^`\n]+)`/g)].map(([, piece = ""]) => piece);
  return [...blocks, ...pieces].map((code) => ({ path, code: code.replace(/ {2,}#.*$/, "") }));
});

describe("commands", () => {
  const calls = CODE.flatMap(({ path, code }) => {
    const [, name, rest = ""] = /(?:^|[ (;&])fillbook (?:-- )?([a-z][a-z-]*)(.*)/.exec(code) ?? [];
    return name === undefined ? [] : [{ path, name, rest }];
  });

  test("exist", () => {
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter(({ name }) => !(name in COMMANDS || name === "help"))).toEqual([]);
  });

  test("accept the flags that the documents show", () => {
    const common = Object.values(SCHEMA).flatMap(({ flag }) => flag ?? []);
    const unknown = calls.flatMap(({ path, name, rest }) => {
      const command: Command | undefined = COMMANDS[name as keyof typeof COMMANDS];
      const known = [...common, ...Object.keys(command?.options ?? {}), "help"];
      const given = [...rest.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag = ""]) => flag);
      return given.filter((flag) => !known.includes(flag)).map((flag) => `${path}: ${name} --${flag}`);
    });
    expect(unknown).toEqual([]);
  });

  test("are all in docs/usage.md", () => {
    expect(Object.keys(COMMANDS).filter((name) => !textOf("docs/usage.md").includes(`\`${name}`))).toEqual([]);
  });
});

describe("settings", () => {
  const stack = new Map(
    Object.entries(SETTINGS).map(([name, [variable, fallback]]) => [name, { variable, fallback }] as const),
  );

  test("from the environment are read by the program or by a test", () => {
    const own = Object.values(SCHEMA).map(({ variable }) => variable);
    const known = new Set<string>([...own, ...[...stack.values()].map(({ variable }) => variable)]);
    const tests = globSync(["test/**/*.ts", ".ci/run"], { cwd: ROOT }).map(textOf).join("\n");
    const named = DOCUMENTS.flatMap(({ path, text }) =>
      [...text.matchAll(/\bFILLBOOK_[A-Z_]+\b/g)].map(([variable]) => ({ path, variable })),
    );
    const isKnown = (variable: string) => known.has(variable) || tests.includes(`["${variable}"]`);
    expect(named.filter(({ variable }) => !isKnown(variable))).toEqual([]);
  });

  test("that are given with -c exist", () => {
    const given = CODE.flatMap(({ path, code }) =>
      [...code.matchAll(/-c (\w+)=/g)].map(([, name = ""]) => ({ path, name })),
    );
    expect(given.filter(({ name }) => name !== "NAME" && !stack.has(name))).toEqual([]);
  });

  test.each([...stack])("%s is in the table of docs/deploy.md, with its variable and its default", (name, one) => {
    const row = textOf("docs/deploy.md")
      .split("\n")
      .find((line) => line.startsWith("| `") && line.split("|")[1]?.includes(`\`${name}\``));
    expect(row).toContain(`\`${one.variable}\``);
    if (one.fallback !== null && one.fallback !== "" && !one.fallback.includes(".invalid")) {
      expect(row?.split("|")[3]).toContain(`\`${one.fallback}\``);
    }
  });
});

describe("the examples of docs/inputs.md", () => {
  const sections = textOf("docs/inputs.md").split(/^## /m).slice(1);
  const examples = sections.flatMap((section) => {
    const [title = ""] = section.split("\n");
    const blocks = [...section.matchAll(/^```(?:json)?\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
    return blocks.map((block) => ({ name: title === "rates/" ? "rates/own.csv" : title, block }));
  });

  test("cover every file", () => {
    expect(new Set(examples.map(({ name }) => name)).size).toBe(8);
  });

  test.each(examples)("$name can be read", ({ name, block }) => {
    const files = [{ name, bytes: Buffer.from(block), sha256: "" }];
    const inputs = inputsOf(files, "here", "America/New_York");
    if (name === "accounts.json") {
      expect(parseAccountSettings(inputs.accounts ?? "", name).statement).toMatchObject({ client: "A. Trader" });
    } else if (!name.startsWith("rates/")) {
      const { openings, funding, transfers, balances, marks, designations } = inputs;
      const read = [openings, funding ?? [], transfers ?? [], balances, marks ?? []].flat().length;
      expect(read + (designations?.size ?? 0)).toBe(block.trim().split("\n").length - 1);
    }
  });
});

describe("every document is easy to read", () => {
  const written = DOCUMENTS.filter(({ path }) => !GENERATED.includes(path));

  // Flesch reading ease: 70 to 80 is fairly easy, 60 to 70 is plain English.
  test.each(written)("$path", ({ text }) => {
    const { ease, wordsPerSentence } = readabilityOf(text);
    expect(ease).toBeGreaterThan(70);
    expect(wordsPerSentence).toBeLessThan(14);
  });
});

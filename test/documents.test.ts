import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../infra/settings.ts";
import type { Command } from "../lambda/cli/commands/command.ts";
import { COMMANDS, NAMES } from "../lambda/cli/commands/table.ts";
import { CELL_COLUMNS } from "../lambda/formats/fill-columns.ts";
import { inputsOf } from "../lambda/inputs/inputs.ts";
import { SCHEMA } from "../lambda/job/settings.ts";
import { parseAccountSettings } from "../lambda/pack/make/account-settings.ts";

// The documents name only what there is.

const ROOT = join(import.meta.dirname, "..");
const PATHS = globSync(["*.md", "docs/*.md"], { cwd: ROOT }).sort();
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const DOCUMENTS = PATHS.map((path) => ({ path, text: textOf(path) }));

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

test("every section that the code refers to exists", () => {
  const sources = globSync(["lambda/**/*.{ts,md}", "infra/**/*.{ts,js}", "test/**/*.ts"], { cwd: ROOT });
  const named = sources.flatMap((source) =>
    [...textOf(source).matchAll(/\b((?:docs\/)?[\w-]+)(?:\.md)?, ["']([A-Z][^"'\n]{2,60})["']/g)]
      .map(([, document = "", heading = ""]) => ({ source, document: `${document}.md`, heading }))
      .filter(({ document }) => PATHS.includes(document)),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter(({ document, heading }) => !headingsOf(document).includes(heading))).toEqual([]);
});

test("every file that the documents name exists", () => {
  const sources = globSync(["**/*.{ts,js,json,md,csv}", ".ci/run"], {
    cwd: ROOT,
    exclude: ["node_modules", "demo-out"],
  });
  const isFile = (path: string) => sources.some((source) => source === path || source.endsWith(`/${path}`));
  const isFolder = (path: string) => sources.some((source) => `/${source}`.includes(`/${path}`));
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/adding.md"].flatMap((path) =>
    [...textOf(path).matchAll(/`([a-z][\w./-]*(?:\.ts|\/))`/g)].map(([, file = ""]) => ({ path, file })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !(file.endsWith("/") ? isFolder(file) : isFile(file)))).toEqual([]);
});

test("every message that the runbook explains is one that the program gives", () => {
  const sources = globSync("lambda/**/*.ts", { cwd: ROOT }).map(textOf).join("\n");
  const [, table = ""] = /## Messages\n([\s\S]*?)\n## /.exec(textOf("RUNBOOK.md")) ?? [];
  const rows = [...table.matchAll(/^\| (".*?) \| \d \|/gm)].map(([, messages = ""]) => messages);
  const parts = rows.flatMap((row) => [...row.matchAll(/"([^"]+)"/g)].flatMap(([, said = ""]) => said.split("…")));
  expect(rows.length).toBeGreaterThan(10);
  expect(parts.map((part) => part.trim()).filter((part) => !sources.includes(part))).toEqual([]);
});

/** The lines of sh blocks, and all inline code. */
const CODE = DOCUMENTS.flatMap(({ path, text }) => {
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

  test("accept the flags that the documents show", async () => {
    const common = Object.values(SCHEMA).flatMap(({ flag }) => flag ?? []);
    const loaded = await Promise.all(NAMES.map(async (name) => [name, await COMMANDS[name]()] as const));
    const commands = new Map<string, Command>(loaded);
    const unknown = calls.flatMap(({ path, name, rest }) => {
      const command = commands.get(name);
      const known = [...common, ...Object.keys(command?.options ?? {}).map((option) => option.split(" ")[0]), "help"];
      const given = [...rest.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag = ""]) => flag);
      return given.filter((flag) => !known.includes(flag)).map((flag) => `${path}: ${name} --${flag}`);
    });
    expect(unknown).toEqual([]);
  });
});

describe("settings", () => {
  test("from the environment are read by the program or by a test", () => {
    const own = Object.values(SCHEMA).map(({ variable }) => variable);
    const known = new Set<string>([...own, ...Object.values(SETTINGS).map(([variable]) => variable)]);
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
    expect(given.filter(({ name }) => name !== "NAME" && !(name in SETTINGS))).toEqual([]);
  });
});

test("the table that docs/deploy.md defines for Athena has the columns of table/, with their types", () => {
  const [, columns = ""] =
    /CREATE EXTERNAL TABLE fills \(([\s\S]*?)\)\nPARTITIONED/.exec(textOf("docs/deploy.md")) ?? [];
  const defined = [...columns.matchAll(/(\w+) (timestamp|string|decimal\(38,18\))/g)].map(([, ...column]) => column);
  const types = { time: "timestamp", text: "string", decimal: "decimal(38,18)", integer: "int" };
  const written = CELL_COLUMNS.filter(({ name }) => name !== "account");
  expect(defined).toEqual(written.map(({ name, kind }) => [name, types[kind]]));
});

const sections = textOf("docs/inputs.md").split(/^## /m).slice(1);
const examples = sections.flatMap((section) => {
  const [title = ""] = section.split("\n");
  const blocks = [...section.matchAll(/^```(?:json)?\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.map((block) => ({ name: title === "rates/" ? "rates/own.csv" : title, block }));
});

test.each(examples)("the example of $name in docs/inputs.md can be read", ({ name, block }) => {
  const files = [{ name, bytes: Buffer.from(block), sha256: "" }];
  const inputs = inputsOf(files, "here", "America/New_York");
  if (name === "accounts.json") {
    expect(parseAccountSettings(inputs.accounts ?? "", name).statement).toMatchObject({ client: "A. Trader" });
  } else if (!name.startsWith("rates/")) {
    const { openings, funding, transfers, balances, adjustments, marks, designations } = inputs;
    const read = [openings, adjustments, funding ?? [], transfers ?? [], balances, marks ?? []].flat().length;
    expect(read + (designations?.size ?? 0)).toBe(block.trim().split("\n").length - 1);
  }
});

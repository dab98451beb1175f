import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import type { Command } from "../../../lambda/cli/commands/command.ts";
import { COMMAND_GROUPS, COMMANDS } from "../../../lambda/cli/commands/table.ts";
import { type ErrorKind, EXIT_CODES, FillbookError } from "../../../lambda/core/errors.ts";
import { keyOf, SCHEMA, type SettingName } from "../../../lambda/job/settings.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { run } from "./run.ts";
import { stubReader } from "./stub-reader.ts";

const names = Object.keys(COMMANDS);

function failing(error: unknown) {
  const reader = stubReader({ markets: () => Promise.reject(error) });
  return { reader: () => Promise.resolve(reader) };
}

test("the program's help names every command and every exit code", async () => {
  const { code, stdout } = await run(["-h"]);
  expect(code).toBe(0);
  for (const name of names) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
  }
  for (const exit of [0, ...Object.values(EXIT_CODES)]) {
    expect(stdout).toMatch(new RegExp(`\\b${exit} [a-z]`));
  }
});

test("each command is in one group of the help, and the service's endpoints are in the last group", () => {
  const groups = Object.values<Readonly<Record<string, string>>>(COMMAND_GROUPS);
  expect(groups.flatMap((group) => Object.keys(group)).toSorted()).toEqual(names.toSorted());
  const isAsking = ([, text]: readonly [string, string]) => /\((?:GET|POST) \//.test(text);
  expect(groups.flatMap((group) => Object.entries(group).filter(isAsking))).toEqual(
    Object.entries(groups.at(-1) ?? {}),
  );
});

test("help options names every option, every variable and every key of fillbook.json", async () => {
  const { code, stdout } = await run(["help", "options"]);
  expect(code).toBe(0);
  for (const [name, one] of Object.entries(SCHEMA)) {
    expect(stdout).toContain(one.variable);
    expect(stdout).toContain(one.flag === null ? one.variable : `--${one.flag}`);
    expect(stdout).toContain(`"${keyOf(name as SettingName)}"`);
  }
});

test.each(["-h", "help options", "export --help"])("no line of %s is wider than the terminal", async (line) => {
  const { stdout } = await run(line.split(" "), { tty: true });
  const plain = stripVTControlCharacters(stdout).split("\n");
  const wide = plain.filter((one) => one.length > 80 && one.trim().split(/ {2,}/).at(-1)?.includes(" ") === true);
  expect(wide).toEqual([]);
});

test("only a terminal gets colours, and not with NO_COLOR or TERM=dumb", async () => {
  const isPainted = async (tty: boolean, environment: Readonly<Record<string, string>> = {}) => {
    const help = await run(["-h"], { tty, environment });
    const wrong = await run(["snyc"], { tty, environment });
    expect(help.stdout.includes("\u001b[")).toBe(wrong.stderr.includes("\u001b["));
    return wrong.stderr.includes("\u001b[");
  };
  expect(await isPainted(true)).toBe(true);
  expect(await isPainted(true, { NO_COLOR: "" })).toBe(true); // https://no-color.org: when not empty
  expect(await isPainted(true, { NO_COLOR: "1" })).toBe(false);
  expect(await isPainted(true, { TERM: "dumb" })).toBe(false);
  expect(await isPainted(false, { FORCE_COLOR: "1" })).toBe(false);
  expect((await run(["periods", "--json"], { tty: true })).stdout).not.toContain("\u001b");
});

test.each(names)(
  "help of %s: --help, -h and help COMMAND print the same, with its own flags and an example",
  async (name) => {
    const long = await run([name, "--help"]);
    expect(long.code).toBe(0);
    expect(await run([name, "-h"])).toEqual(long);
    expect(await run(["help", name])).toEqual(long);
    const command: Command = await COMMANDS[name as keyof typeof COMMANDS]();
    expect(long.stdout).toMatch(new RegExp(`^Usage: fillbook ${name}\\b`));
    for (const flag of Object.keys(command.options ?? {})) {
      expect(long.stdout).toContain(`--${flag}`);
    }
    expect(long.stdout).toContain(`Example: fillbook ${name}`);
    expect(long.stdout).toContain("Exit codes: 0 done");
    // The command's own options come before the shared ones.
    expect(long.stdout.indexOf("Shared options: --account ")).toBeGreaterThan(long.stdout.indexOf("\nOptions:"));
  },
);

test.each(names)("the example of the help is valid usage: %s", async (name) => {
  const { example } = await COMMANDS[name as keyof typeof COMMANDS]();
  // No service and no store can be reached, so a command fails at its first request or needs neither. A
  // command that would run on gets an aborted signal.
  const ran = await run(example.split(" ").slice(1), {
    folder: temporaryFolder(), // init writes its file there
    signal: AbortSignal.abort(),
    environment: { FILLBOOK_STORE: "/dev/null/none", FILLBOOK_TOKEN: "abc" },
    components: {
      reader: () => Promise.resolve(stubReader({})),
      leverageWriter: () =>
        Promise.resolve({ setLeverage: () => Promise.reject(new FillbookError("incomplete", "not asked")) }),
      requireAccountAccess: () => Promise.resolve(),
    },
  });
  expect(ran.stderr).not.toMatch(/there is no (?!archive|pack of)|takes no|needs a |is not a time/);
});

test("sync neither opens nor creates an archive if the token cannot be read", async () => {
  const store = vi.fn(() => Promise.reject(new Error("opened")));
  const requireAccountAccess = () => Promise.reject(new FillbookError("usage", "the secret cannot be read"));
  const ran = await run(["sync"], { components: { requireAccountAccess, store } });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("the secret") });
  expect(store).not.toHaveBeenCalled();
});

test("--version prints the version of the package", async () => {
  const { default: manifest } = await import("../../../package.json", { with: { type: "json" } });
  expect(await run(["--version"])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each(Object.entries(EXIT_CODES) as [ErrorKind, number][])(
  "a problem of kind %s exits with %d",
  async (kind, code) => {
    const components = failing(new FillbookError(kind, "what happened", { hint: "what to do" }));
    const stderr = "fillbook markets: what happened\n  what to do\n";
    expect(await run(["markets"], { components })).toEqual({ code, stdout: "", stderr });
    const json = await run(["markets", "--json"], { components });
    expect(json.code).toBe(code);
    expect(JSON.parse(json.stdout)).toEqual({ error: { kind, message: "what happened", hint: "what to do" } });
  },
);

test("an unexpected error is one sentence; FILLBOOK_DEBUG adds the stacks", async () => {
  const components = failing(new TypeError("x is not a function"));
  const stderr =
    "fillbook markets: x is not a function\n  this error was not expected; FILLBOOK_DEBUG=1 shows where it happened\n";
  expect(await run(["markets"], { components })).toEqual({ code: 1, stdout: "", stderr });
  const debugged = await run(["markets"], { components, environment: { FILLBOOK_DEBUG: "1" } });
  expect(debugged.stderr.startsWith(stderr)).toBe(true);
  expect(debugged.stderr).toContain("TypeError: x is not a function\n    at ");
});

test("the token is removed from everything that is printed", async () => {
  const token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln";
  const reader = stubReader({ markets: () => Promise.resolve([`${token}-USD`]) });
  const environment = { FILLBOOK_TOKEN: `${token}\n`, FILLBOOK_DEBUG: "1" };
  for (const components of [failing(new Error(`Bearer ${token}`)), { reader: () => Promise.resolve(reader) }]) {
    for (const line of [["markets"], ["markets", "--json"]]) {
      const ran = await run(line, { components, environment });
      expect(ran.stdout + ran.stderr).not.toContain(token);
      expect(ran.stdout + ran.stderr).toContain("[redacted]");
    }
  }
  const typed = await run([token], { environment });
  expect(typed.stderr).toContain('there is no command "[redacted]"');
});

test("the service's text in an error cannot control the terminal or forge a line", async () => {
  const text = "it said \u001b[2J\nfillbook: all is well";
  const components = failing(new FillbookError("incomplete", text, { hint: "\u009b31m" }));
  const ran = await run(["markets"], { components });
  expect(ran.stderr).toBe("fillbook markets: it said \\u001b[2J\\u000afillbook: all is well\n  \\u009b31m\n");
});

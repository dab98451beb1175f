import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run.ts";

/**
 * Every message for wrong usage. gallery.txt shows each command line, with its environment variables in
 * front, and what it prints: two lines per problem. Each command exits with 2 and prints nothing on stdout.
 * With --json it prints the same in one object.
 */
const GALLERY = readFileSync(join(import.meta.dirname, "gallery.txt"), "utf8");
const SHOWN = [...GALLERY.matchAll(/^\$ (.*)\n((?:.*\n {2}.*\n?)+)/gm)].map(([, line = "", said = ""]) => {
  const problems = [...said.matchAll(/^(\S.*?): (.*)\n {2}(.*)$/gm)];
  return {
    line,
    said: said.trimEnd(),
    message: problems.map(([, , message]) => message).join("; "),
    hint: problems.map(([, , , hint]) => hint).join("; "),
  };
});

/** Splits a line into words as a shell does. Text in single quotes is one word. */
function wordsOf(line: string): readonly string[] {
  return (line.match(/(?:'[^']*'|[^' ])+/g) ?? []).map((word) => word.replaceAll("'", ""));
}

test.each(SHOWN)("$line: $message", async ({ line, said, message, hint }) => {
  const words = wordsOf(line);
  const program = words.indexOf("fillbook");
  const environment = Object.fromEntries(words.slice(0, program).map((word) => word.split(/[=](.*)/s)));
  const typed = words.slice(program + 1);
  const people = await run(typed, { environment });
  expect(people).toEqual({ code: 2, stdout: "", stderr: `${said}\n` });

  const machine = await run(["--json", ...typed], { environment });
  expect(machine.code).toBe(2);
  expect(JSON.parse(machine.stdout)).toEqual({ error: { kind: "usage", message, hint } });
  expect(machine.stdout + machine.stderr + people.stderr).not.toContain("s3cr3t-s3cr3t");
});

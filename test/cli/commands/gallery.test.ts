import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run.ts";

/**
 * Every message that wrong usage meets, as gallery.txt has it: what was typed, with the environment before
 * it, and what it says: two lines for each problem. Each exits with 2, prints nothing on stdout, and with
 * --json says the same in one object.
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

/** Words as a shell takes them apart; what stands between single quotes is one. */
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

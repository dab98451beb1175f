import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { METHODS } from "../../lambda/accounting/method.ts";
import { COMMANDS } from "../../lambda/cli/commands/table.ts";
import { SHELLS, type Shell } from "../../lambda/cli/completion-script.ts";
import { bareEnvironment } from "./child.ts";
import { run } from "./commands/run.ts";

// The completion scripts run in real shells: the input before the cursor, and the shell's completions.

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-completion-"));
  for (const account of ["main", "hedge", `$(touch ${folder}/run)`.replaceAll("/", "+"), "$(touch run)"]) {
    await mkdir(join(folder, "fillbook-data", account), { recursive: true });
    await writeFile(join(folder, "fillbook-data", account, "head.json"), "{}");
  }
  for (const shell of SHELLS) {
    await writeFile(join(folder, `script.${shell}`), (await run(["completion", shell])).stdout);
  }
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** What the shell prints when it runs the script; null if this machine does not have the shell. */
function inShell(shell: Shell, script: string): string | null {
  const started = spawnSync(shell, shell === "bash" ? ["--norc", "-c", script] : ["-c", script], {
    cwd: folder,
    env: { ...bareEnvironment(), HOME: folder, TERM: "dumb" },
    encoding: "utf8",
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  if (started.error !== undefined && "code" in started.error && started.error.code === "ENOENT") {
    return null;
  }
  expect(started).toMatchObject({ status: 0, stderr: "" });
  return started.stdout;
}

function missing(shell: Shell): string {
  return `${shell} is not on this machine: install it to run this test`;
}

const year = new Date().getUTCFullYear();
/** The words typed so far, the last one unfinished, and all of its completions. */
const CASES: readonly (readonly [words: readonly string[], becomes: readonly string[]])[] = [
  [
    ["fillbook", ""],
    [...Object.keys(COMMANDS), "help"],
  ],
  [["fillbook", "expo"], ["export"]],
  [["fillbook", "export", "--meth"], ["--method"]],
  [["fillbook", "export", "--method", ""], METHODS],
  [
    ["fillbook", "export", "--period", "us-"],
    [`us-${year}`, `us-${year - 1}`, `us-${year - 2}`],
  ],
  [
    ["fillbook", "status", "--account", ""],
    ["hedge", "main"],
  ],
  [["fillbook", "completion", ""], SHELLS],
  [["fillbook", "help", "opt"], ["options"]],
  [["fillbook", "sync", "--from", ""], []],
  [["fillbook", "sync", "--out"], []], // only export has --out
];

function sortedLines(said: string): string[] {
  return said
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

describe("bash", () => {
  test.each(CASES)("%j", (words, becomes) => {
    const typed = words.map((word) => `'${word}'`).join(" ");
    const script = `source script.bash; complete -p fillbook > /dev/null
COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _fillbook; for word in "\${COMPREPLY[@]}"; do echo "$word"; done`;
    const said = inShell("bash", script) ?? "";
    expect(sortedLines(said)).toEqual([...becomes].sort());
    expect(existsSync(join(folder, "run"))).toBe(false);
  });

  test("a value after = is completed too", () => {
    const script = `source script.bash
COMP_WORDS=(fillbook export --method = fi); COMP_CWORD=4; _fillbook; echo "\${COMPREPLY[@]}"`;
    expect(inShell("bash", script)).toBe("fifo\n");
  });
});

describe("fish", () => {
  test.for(CASES)("%j", ([words, becomes], { skip }) => {
    const script = `source script.fish; complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''; true`;
    const said = inShell("fish", script);
    if (said === null) {
      skip(missing("fish"));
      return;
    }
    expect(sortedLines(said)).toEqual([...becomes].sort());
    expect(existsSync(join(folder, "run"))).toBe(false);
  });
});

describe("zsh", () => {
  // In an interactive shell: the line after a tab, for input with a single completion.
  test.for([
    ["fillbook expo", "fillbook export "],
    ["fillbook export --meth", "fillbook export --method "],
    ["fillbook export --method hi", "fillbook export --method hifo "],
    ["fillbook export --method=hi", "fillbook export --method=hifo "],
    ["fillbook status --account he", "fillbook status --account hedge "],
    ["fillbook completion f", "fillbook completion fish "],
    [`fillbook export --period us-${year - 1}`, `fillbook export --period us-${year - 1} `],
    ["fillbook sync --ou", "fillbook sync --ou"],
  ])("%s", ([typed, line], { skip }) => {
    const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=''; autoload -Uz compinit; compinit -u -D; source script.zsh; unsetopt beep"
zpty -w shell "report() { print -r -- \\"LINE=\\$BUFFER=END\\"; zle kill-whole-line }; zle -N report; bindkey '^X' report; print REA''DY"
zpty -r -m shell said '*READY*'
zpty -w -n shell $'${typed}\\t\\x18'
zpty -r -m shell said '*LINE=*=END*'
print -r -- "$said"
zpty -d shell`;
    const said = inShell("zsh", script);
    if (said === null) {
      skip(missing("zsh"));
      return;
    }
    expect(/LINE=(.*)=END/.exec(said)?.[1]).toBe(line);
    expect(existsSync(join(folder, "run"))).toBe(false);
  });
});

test("each script contains every option of every command", async () => {
  for (const shell of SHELLS) {
    const { stdout } = await run(["completion", shell]);
    for (const { options } of Object.values(COMMANDS)) {
      for (const flag of Object.keys(options)) {
        expect(stdout).toContain(shell === "fish" ? `-l ${flag} ` : `--${flag}`);
      }
    }
  }
});

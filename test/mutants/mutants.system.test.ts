import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareEnvironment } from "../cli/child.ts";
import { MUTANTS, type Mutant } from "./mutants.ts";

// Known mistakes, each of which the oracle must see. A mutant is killed when its oracle fails or does not end.

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCES = ["lambda", "test/support", "test/emulator", "test/mutants"];
const AT_ONCE = 2;
const TIMEOUT_MS = 60_000;

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-mutants-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function copySources(name: string): Promise<string> {
  const copy = join(folder, name);
  await mkdir(copy);
  await cp(join(ROOT, "package.json"), join(copy, "package.json"));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await Promise.all(SOURCES.map((source) => cp(join(ROOT, source), join(copy, source), { recursive: true })));
  return copy;
}

async function mutate(copy: string, { file, find, replace }: Mutant): Promise<void> {
  const path = join(copy, file);
  await writeFile(
    path,
    (await readFile(path, "utf8")).replace(find, () => replace),
  );
}

test("each mistake has its one place in the sources: change it along with them", async () => {
  const counts = await Promise.all(
    MUTANTS.map(async ({ name, file, find }) => ({
      name,
      times: (await readFile(join(ROOT, file), "utf8")).split(find).length - 1,
    })),
  );
  expect(counts.filter(({ times }) => times !== 1)).toEqual([]);
});

/** What the oracle finds wrong with the sources in `copy`; null: nothing. */
async function judge(copy: string): Promise<string | null> {
  const child = spawn(process.execPath, ["test/mutants/oracle.ts"], {
    cwd: copy,
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const closed = new Promise<number | null>((done) => {
    child.once("close", done);
  });
  const [code, said, complaint] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  if (code === null) {
    return "does not end";
  }
  return code === 0 ? null : said.trim() || `does not run: ${complaint}`;
}

async function verdictOn(mutant: Mutant, index: number): Promise<string | null> {
  const copy = await copySources(`mutant-${index}`);
  await mutate(copy, mutant);
  const verdict = await judge(copy);
  await rm(copy, { recursive: true });
  return verdict;
}

test("the sources as they are: nothing is wrong", async () => {
  expect(await judge(await copySources("unmutated"))).toBeNull();
});

test(
  `${MUTANTS.length} known mistakes: each is seen`,
  async () => {
    const verdicts = new Map<string, string | null>();
    const queue = [...MUTANTS.entries()];
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, mutant] = next;
        verdicts.set(mutant.name, await verdictOn(mutant, index));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const lines = MUTANTS.map(({ name }) => {
      const verdict = verdicts.get(name) ?? null;
      return verdict === null ? `  SURVIVED  ${name}` : `  killed    ${name}\n              ${firstLine(verdict)}`;
    });
    const survivors = MUTANTS.filter(({ name }) => (verdicts.get(name) ?? null) === null).map(({ name }) => name);
    process.stdout.write(
      `${[`mutants killed: ${MUTANTS.length - survivors.length} of ${MUTANTS.length}`, ...lines].join("\n")}\n`,
    );
    const broken = [...verdicts].filter(([, verdict]) => verdict?.startsWith("does not run"));
    expect({ survivors, broken }).toEqual({ survivors: [], broken: [] });
  },
  10 * TIMEOUT_MS,
);

function firstLine(verdict: string): string {
  return (verdict.split("\n")[0] ?? "").slice(0, 150);
}

import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareEnvironment } from "../cli/child.ts";
import { patienceMs } from "../patience.ts";
import { MUTANTS, type Mutant } from "./mutants.ts";

// Known mistakes. The oracle must notice each one by naming a broken promise. An oracle that does not end has
// noticed nothing.

const ROOT = resolve(import.meta.dirname, "../..");
const SOURCES = ["lambda", "test/support", "test/emulator", "test/mutants"];
const AT_ONCE = 2;
/** For one oracle, while another runs beside it. */
const ORACLE_SECONDS = 60;

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

test("each mistake matches exactly one place in the sources: change it along with them", async () => {
  const counts = await Promise.all(
    MUTANTS.map(async ({ name, file, find }) => ({
      name,
      times: (await readFile(join(ROOT, file), "utf8")).split(find).length - 1,
    })),
  );
  expect(counts.filter(({ times }) => times !== 1)).toEqual([]);
});

test("each mistake compiles, so that only its behaviour reveals it", async () => {
  const copy = await copySources("compiled");
  await Promise.all(
    MUTANTS.map(async ({ file, find, replace }, index) => {
      const text = await readFile(join(ROOT, file), "utf8");
      await writeFile(
        join(copy, file.replace(/\.ts$/, `.mutant-${index}.ts`)),
        text.replace(find, () => replace),
      );
    }),
  );
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, "tsconfig.json"), "utf8"));
  const loose = { ...compilerOptions, noUnusedLocals: false, noUnusedParameters: false };
  await writeFile(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions: loose, include: ["lambda"] }));
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", copy], {
    encoding: "utf8",
  });
  expect([stdout, status]).toEqual(["", 0]);
});

interface Verdict {
  /** `unknown`: the oracle did not run to its end. */
  readonly found: "nothing" | "wrong" | "unknown";
  readonly said: string;
}

const OUTCOMES = { nothing: "SURVIVED", wrong: "killed  ", unknown: "UNKNOWN " } as const;

/** What the oracle finds in the sources in `copy`. */
async function judge(copy: string): Promise<Verdict> {
  const child = spawn(process.execPath, ["test/mutants/oracle.ts"], {
    cwd: copy,
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patienceMs(ORACLE_SECONDS),
    killSignal: "SIGKILL",
  });
  const closed = new Promise<number | null>((done) => {
    child.once("close", done);
  });
  const [code, said, complaint] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  if (code === 0) {
    return { found: "nothing", said: "" };
  }
  if (code === 1 && said.trim() !== "") {
    return { found: "wrong", said: said.trim() };
  }
  const why = code === null ? `it had not ended after ${patienceMs(ORACLE_SECONDS)} ms` : complaint.trim();
  return { found: "unknown", said: `no verdict of the oracle: ${why}` };
}

async function verdictOn(mutant: Mutant, index: number): Promise<Verdict> {
  const copy = await copySources(`mutant-${index}`);
  await mutate(copy, mutant);
  const verdict = await judge(copy);
  await rm(copy, { recursive: true });
  return verdict;
}

test("the oracle finds nothing wrong with the unchanged sources", async () => {
  expect(await judge(await copySources("unmutated"))).toEqual({ found: "nothing", said: "" });
});

test(
  `the oracle notices each of ${MUTANTS.length} known mistakes`,
  async () => {
    const verdicts: { readonly name: string; readonly verdict: Verdict }[] = [];
    const queue = [...MUTANTS.entries()];
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, mutant] = next;
        verdicts.push({ name: mutant.name, verdict: await verdictOn(mutant, index) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const killed = verdicts.filter(({ verdict }) => verdict.found === "wrong");
    const lines = verdicts.map(
      ({ name, verdict }) => `  ${OUTCOMES[verdict.found]}  ${name}\n              ${firstLine(verdict)}`,
    );
    process.stdout.write(`mutants killed: ${killed.length} of ${MUTANTS.length}\n${lines.join("\n")}\n`);
    expect(verdicts.filter((one) => !killed.includes(one))).toEqual([]);
  },
  (MUTANTS.length / AT_ONCE) * patienceMs(ORACLE_SECONDS),
);

function firstLine({ said }: Verdict): string {
  return (said.split("\n")[0] ?? "").slice(0, 150);
}

import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ran, run } from "../cli/commands/run.ts";
import { expectTold, openWorld, RANGE, type World } from "./world.ts";

// A mistyped store, account or setting, on the real command line. It must not look like success, and must
// make nothing.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const SYNC = ["sync", ...RANGE];
const READERS = [["status"], ["verify"], ["export", "--period", "month-2025-02", "--allow-incomplete"]];
/** Runs a command line without an address or a token. */
function typeAway(line: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return run(line, {
    environment: { FILLBOOK_STORE: world.path, FILLBOOK_JSON: "1", FILLBOOK_QUIET: "1", ...environment },
  });
}

async function files(folder: string): Promise<string[]> {
  return existsSync(folder) ? (await readdir(folder, { recursive: true })).sort() : [];
}

describe("a command that only reads makes nothing", () => {
  test.each(READERS)("%s of a store that does not exist", async (...line) => {
    expectTold(await typeAway(line), {
      kind: "usage",
      says: [`there is no archive of account main in ${world.path}`],
      hint: "check --store and --account",
    });
    expect(existsSync(world.path)).toBe(false);
  });

  test.each([
    [
      "a mistyped account",
      { FILLBOOK_ACCOUNT: "mian" },
      "",
      /the store has the account main; did you mean --account main\?/,
    ],
    ["another account", { FILLBOOK_ACCOUNT: "hedge" }, "", /^the store has the account main$/],
    ["the archive in place of the store", {}, "/main", /is the archive of one account; .* --store \S+store$/],
    ["the folder above the store", {}, "/..", /a subfolder holds a store with the account main: --store \S+store$/],
  ])("%s: the message names what is there", async (_, environment, below, hint) => {
    expect(await world.type(SYNC)).toMatchObject({ code: 0 });
    const store = world.path + below;
    const before = await files(dirname(world.path));
    for (const line of READERS) {
      const ran = await typeAway(line, { FILLBOOK_STORE: store, ...environment });
      expectTold(ran, { kind: "usage", says: ["there is no archive of account"], hint });
    }
    expect(await files(dirname(world.path))).toEqual(before);
  });
});

describe("a command that writes", () => {
  test.each([[SYNC], [["export", "--period", "month-2025-02"]]])(
    "%s with nothing set: the message names every missing setting, and nothing is made",
    async (line) => {
      const ran = await typeAway(line);
      expectTold(
        { ...ran, stderr: firstOf(ran.stderr, ran.stdout) },
        {
          kind: "usage",
          says: ["the address of the account host is not set; there is no token"],
          hint: "fillbook init",
        },
      );
      expect(existsSync(world.path)).toBe(false);
    },
  );

  test("reports a new archive once, with its place", async () => {
    const first = await world.type(SYNC, { environment: { FILLBOOK_QUIET: "0" } });
    expect(first.stderr).toContain(`new archive of account main at ${world.path}\n`);
    const second = await world.type(SYNC, { environment: { FILLBOOK_QUIET: "0" } });
    expect(second.stderr).not.toContain("new archive");
    const typo = await world.type(SYNC, { environment: { FILLBOOK_QUIET: "0", FILLBOOK_ACCOUNT: "mian" } });
    expect(typo.stderr).toContain("(the store has the account main; did you mean --account main?)");
    const above = { FILLBOOK_QUIET: "0", FILLBOOK_STORE: dirname(world.path) };
    const beside = await world.type(SYNC, { environment: above });
    expect(beside.stderr).toContain(`(a subfolder holds a store with the accounts main, mian: --store ${world.path})`);
  });

  test("reports a new archive also before a pack that may be incomplete", async () => {
    const line = ["export", "--period", "month-2025-03", "--allow-incomplete"];
    const ran = await world.type(line, { environment: { FILLBOOK_QUIET: "0" } });
    expect(ran.stderr).toContain(`new archive of account main at ${world.path}\n`);
  });

  test("begins no archive inside another", async () => {
    expect(await world.type(SYNC)).toMatchObject({ code: 0 });
    const inside = join(world.path, "main");
    const before = await files(world.path);
    expectTold(await world.type(SYNC, { environment: { FILLBOOK_STORE: inside } }), {
      kind: "usage",
      says: [`cannot start an archive in ${inside}`],
      hint: `--store ${world.path}`,
    });
    expect(await files(world.path)).toEqual(before);
  });
});

describe("export --allow-incomplete without an address or a token", () => {
  test("a period that is covered with its history is complete, one that is not is written as INCOMPLETE, and the archive stays as it is", async () => {
    expect(await world.type(SYNC)).toMatchObject({ code: 0 });
    const openings = "market,quantity,average_price,as_of,evidence\n*,0,,2025-02-01,x\n";
    await mkdir(join(world.path, "main/inputs"));
    await writeFile(join(world.path, "main/inputs/opening-positions.csv"), openings);
    const kept = join(dirname(world.path), "kept");
    await cp(join(world.path, "main"), kept, { recursive: true });
    const covered = await typeAway(["export", "--period", "month-2025-02", "--allow-incomplete"]);
    expect(covered.code).toBe(0);
    expect(covered.stderr).toContain("the service was not asked (the address of the account host is not set");
    expect(JSON.parse(covered.stdout)).toMatchObject({ complete: true });

    const partial = await typeAway(["export", "--period", "calendar-2025", "--allow-incomplete"]);
    expect(partial.code).toBe(4);
    const { complete, files: packed, error } = JSON.parse(partial.stdout);
    expect({ complete, kind: error.kind }).toEqual({ complete: false, kind: "incomplete" });
    expect(packed.map(({ path }: { path: string }) => path)).toContain("INCOMPLETE-fills.csv");
    const [before, after] = [await files(kept), await files(join(world.path, "main"))];
    expect(after.filter((path) => !(path === "packs" || path.startsWith("packs/")))).toEqual(before);
  });
});

test("a folder in the store that belongs to no account changes nothing", async () => {
  await mkdir(join(world.path, "notes"), { recursive: true });
  await writeFile(join(world.path, "notes", "letter.txt"), "a letter");
  expectTold(await typeAway(["status"]), {
    kind: "usage",
    says: ["there is no archive of account main"],
    hint: "check --store and --account, or run: fillbook sync",
  });
});

/**
 * Joins several problems into one, in the form that `expectTold` expects: their messages and hints, as in the
 * object.
 */
function firstOf(stderr: string, stdout: string): string {
  const { message, hint } = JSON.parse(stdout).error;
  const said = [...stderr.matchAll(/^fillbook \w+: (.*)\n {2}(.*)$/gm)];
  expect(said.map(([, what]) => what).join("; ")).toBe(message);
  expect(said.map(([, , todo]) => todo).join("; ")).toBe(hint);
  return `fillbook x: ${message}\n  ${hint}\n`;
}

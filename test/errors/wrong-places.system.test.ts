import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Ran, run } from "../cli/commands/run.ts";
import { expectTold, openWorld, RANGE, type World } from "./world.ts";

// A mistyped store, account or setting, on the real command line. It must not look like success, and must
// make nothing.

let world: World;

beforeEach(() => {
  world = openWorld();
});

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
    ["a mistyped account", { FILLBOOK_ACCOUNT: "mian" }, "", /has the account main; did you mean --account main\?/],
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
  test("reports a new archive once, with its place", async () => {
    const said = async (more = {}) => (await world.type(SYNC, { FILLBOOK_QUIET: "0", ...more })).stderr;
    expect(await said()).toContain(`new archive of account main at ${world.path}\n`);
    expect(await said()).not.toContain("new archive");
    const typo = await said({ FILLBOOK_ACCOUNT: "mian" });
    expect(typo).toContain("(the store has the account main; did you mean --account main?)");
    const beside = await said({ FILLBOOK_STORE: dirname(world.path) });
    expect(beside).toContain(`(a subfolder holds a store with the accounts main, mian: --store ${world.path})`);
    await rm(join(world.path, "main/head.json"));
    expect(await said()).toMatch(/^fillbook sync: \S+ is missing, but/); // an archive whose head is lost is not new
  });

  test("begins no archive inside another", async () => {
    expect(await world.type(SYNC)).toMatchObject({ code: 0 });
    const inside = join(world.path, "main");
    const before = await files(world.path);
    expectTold(await world.type(SYNC, { FILLBOOK_STORE: inside }), {
      kind: "usage",
      says: [`cannot start an archive in ${inside}`],
      hint: `--store ${world.path}`,
    });
    expect(await files(world.path)).toEqual(before);
  });
});

test("export --allow-incomplete without an address or a token: a period that is covered with its history is complete, one that is not is written as INCOMPLETE, and the archive stays as it is", async () => {
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

describe("--out is refused before the first request if the pack cannot go there, and nothing is written", () => {
  const refused = async (out: string, says: string) => {
    const ran = await world.type(["export", "--period", "month-2025-02", "--out", out]);
    expectTold(ran, { kind: "usage", says: [says], hint: "give another folder with --out, a new or an empty one" });
    expect(ran.stderr).not.toContain("--store");
    expect(world.emulator.log.requests).toBe(0);
    expect(existsSync(world.path)).toBe(false);
  };

  test("a file, a folder below a file, a folder of other files", async () => {
    const out = `${world.path}-out`;
    await mkdir(out);
    const letter = join(out, "letter.txt");
    await writeFile(letter, "mine");
    await refused(letter, `--out ${letter} is not a folder`);
    await refused(join(letter, "pack"), `cannot write ${letter}/pack`);
    await refused(out, `--out ${out} has files that are not of a pack`);
  });
});

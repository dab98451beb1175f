import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { dataFileKey } from "../../lambda/archive/keys.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { type Ran, run } from "../cli/commands/run.ts";
import { expectRecovers, expectTold, openWorld, RANGE, type Told, type World } from "./world.ts";

// What every command says of a damaged store, on the real command line, and that it changes nothing. test/archive has
// each kind of damage, test/crash each operation that fails.

const RUNBOOK = await readFile(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");

let world: World;

beforeEach(() => {
  world = openWorld();
});

const SYNC = ["sync", ...RANGE];
const EXPORT = ["export", "--period", "month-2025-02"];
const VERIFY = ["verify"];
const STATUS = ["status"];

/** Each sync makes at least one commit. */
async function syncUpTo(...days: readonly string[]): Promise<void> {
  for (const to of days) {
    expect(await world.type(["sync", "--from", "2025-01-01", "--to", to])).toMatchObject({ code: 0 });
  }
}

const pathOf = (key: string) => join(world.path, "main", key);
const head = () => pathOf("head.json");

async function manifestPath(): Promise<string> {
  const { ref } = await readArchive(world.store, "main");
  return pathOf(`manifests/${ref?.seq}-${ref?.sha256}.json`);
}

async function partPath(month: string): Promise<string> {
  const { manifest } = await readArchive(world.store, "main");
  const keys = manifest.dataFiles.map((file) => dataFileKey("main", file));
  return join(world.path, keys.find((key) => key.includes(`month=${month}`)) ?? expect.fail("no file"));
}

async function flip(path: string): Promise<void> {
  const body = await readFile(path);
  const at = Math.floor(body.length / 2);
  await writeFile(path, body.with(at, (body[at] ?? 0) ^ 1));
}

/** All files of the store with their bytes, except its lock. */
async function snapshot(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(world.path, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && one.name !== ".lock");
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, "latin1")] as const)));
}

interface Damage {
  readonly act: () => Promise<void>;
  /** A part of the message, after the path. */
  readonly says: string;
  readonly hint: string | RegExp;
  readonly kind?: Told["kind"];
  readonly path?: () => Promise<string>;
}

const NEWEST = /restore head.json from its newest version or backup. The newest manifest is main\/manifests\//;

test.each<[string, Damage]>([
  [
    "a manifest with a flipped byte",
    {
      act: async () => flip(await manifestPath()),
      path: manifestPath,
      says: "is damaged: its sha256",
      hint: "restore",
    },
  ],
  ["no head", { act: () => rm(head()), says: "is missing, but main/manifests/", hint: "restore head.json" }],
  [
    "a head several commits old",
    {
      act: async () => {
        const old = await readFile(head());
        await syncUpTo("2025-03-12", "2025-03-14");
        await writeFile(head(), old);
      },
      says: "is older than the archive: it names manifest",
      hint: NEWEST,
    },
  ],
  [
    "a head of the older format",
    {
      act: async () => {
        const { format: _, ...newer } = JSON.parse(await readFile(head(), "utf8"));
        await writeFile(head(), JSON.stringify({ ...newer, format: "fillbook-head/1", epoch: 4 }));
      },
      says: "belongs to an archive of an older format",
      hint: "sync the account into a new, empty --store",
      kind: "usage",
    },
  ],
])("%s: every command says so, and changes nothing; once it is restored, all is well", async (_, damage) => {
  await syncUpTo("2025-03-10");
  const path = (await damage.path?.()) ?? head();
  const good = await readFile(path);
  await damage.act();
  const before = await snapshot();
  for (const line of [SYNC, STATUS, VERIFY, EXPORT]) {
    const { kind = "untrusted", says, hint } = damage;
    expectTold(await world.type(line), { kind, says: [`${path} ${says}`], hint });
    expect(await snapshot()).toEqual(before);
  }
  if (damage.hint !== NEWEST) {
    await writeFile(path, good);
    await expectRecovers(world);
  }
});

test("no head: one that is written as the runbook says is that of the archive", async () => {
  await syncUpTo("2025-03-12");
  const { manifest } = JSON.parse(await readFile(head(), "utf8"));
  await rm(head());
  const [, text = ""] = /^ *(\{"format":"fillbook-head.*)$/m.exec(RUNBOOK) ?? [];
  await writeFile(head(), text.replace("NUMBER", manifest.seq).replace("HASH", manifest.sha256));
  expect(await world.type(VERIFY)).toMatchObject({ code: 0 });
  expect(JSON.parse((await world.type(STATUS)).stdout)).toMatchObject({ manifest });
  await expectRecovers(world);
});

test("a damaged data file: verify names it, no pack is made of it, and no sync replaces it", async () => {
  expect(await world.type(["sync", "--from", "2025-02-15", "--to", "2025-04-01"])).toMatchObject({ code: 0 });
  const path = await partPath("2025-02");
  const good = await readFile(path);
  await flip(path);
  const verified = await world.type(VERIFY);
  const shown = expectTold(verified, {
    kind: "untrusted",
    says: [/of the checked objects/],
    hint: "restore the named",
  });
  expect(shown).toMatchObject({ ok: false, findings: [expect.stringContaining(`${path} is damaged`)] });
  for (const line of [EXPORT, SYNC]) {
    expectTold(await world.type(line), { kind: "untrusted", says: [`${path} is damaged`], hint: "restore" });
  }
  expect([...(await snapshot()).keys()].filter((one) => one.endsWith("latest.json"))).toEqual([]);
  await writeFile(path, good);
  await expectRecovers(world);
});

test.each([
  ["gone", "is missing", (path: string) => rm(path)],
  ["empty", "is damaged", (path: string) => writeFile(path, "")],
])(
  "a data file that a run does not touch is %s: status and sync say so, and nothing is changed",
  async (_, is, act) => {
    await syncUpTo("2025-04-01");
    const path = await partPath("2025-02");
    const good = await readFile(path);
    await act(path);
    const before = await snapshot();
    const newest = ["sync", "--from", "2025-03-20", "--to", "2025-04-02"];
    for (const line of [STATUS, newest, [...newest, "--dry-run"]]) {
      expectTold(await world.type(line), { kind: "untrusted", says: [`${path} ${is}`], hint: "restore" });
      expect(await snapshot()).toEqual(before);
    }
    await writeFile(path, good);
    await expectRecovers(world);
  },
);

test("a store that cannot be used: a file in its place", async () => {
  await writeFile(world.path, "a letter");
  for (const line of [SYNC, STATUS, VERIFY, EXPORT]) {
    expectTold(await world.type(line), {
      kind: "usage",
      says: [`${world.path} is not a folder`],
      hint: "name a folder, or one that does not exist yet, with --store",
    });
  }
  expect(await readFile(world.path, "utf8")).toBe("a letter");
});

// A mistyped store, account or setting, on the real command line. It must not look like success, and must
// make nothing.

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

const refused = async (out: string, says: string) => {
  const ran = await world.type(["export", "--period", "month-2025-02", "--out", out]);
  expectTold(ran, { kind: "usage", says: [says], hint: "give another folder with --out, a new or an empty one" });
  expect(ran.stderr).not.toContain("--store");
  expect(world.emulator.log.requests).toBe(0);
  expect(existsSync(world.path)).toBe(false);
};

test("--out is refused before the first request if the pack cannot go there, and nothing is written: a file, a folder below a file, a folder of other files", async () => {
  const out = `${world.path}-out`;
  await mkdir(out);
  const letter = join(out, "letter.txt");
  await writeFile(letter, "mine");
  await refused(letter, `--out ${letter} is not a folder`);
  await refused(join(letter, "pack"), `cannot write ${letter}/pack`);
  await refused(out, `--out ${out} has files that are not of a pack`);
});

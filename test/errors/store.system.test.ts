import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dataFileKey } from "../../lambda/archive/keys.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { folderError } from "../../lambda/storage/folder-errors.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { expectRecovers, expectTold, openWorld, RANGE, type World } from "./world.ts";

// Failures of the store, on the real command line: the message, the exit code, and that nothing is lost.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const SYNC = ["sync", ...RANGE];
const EXPORT = ["export", "--period", "month-2025-02"];
const RESTORE = "restore";

async function synced(): Promise<void> {
  expect(await world.type(SYNC)).toMatchObject({ code: 0 });
}

/** All files of the store with their bytes, except its lock. */
async function snapshot(): Promise<Map<string, string>> {
  const names = await readdir(world.path, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && one.name !== ".lock");
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, "latin1")] as const)));
}

async function keyOfPart(month: string): Promise<string> {
  const { manifest } = await readArchive(world.store, "main");
  const keys = manifest.dataFiles.map((file) => dataFileKey("main", file));
  return join(world.path, keys.find((key) => key.includes(`month=${month}`)) ?? expect.fail("no file"));
}

async function manifestPath(): Promise<string> {
  const { ref } = await readArchive(world.store, "main");
  return join(world.path, `main/manifests/${ref?.seq}-${ref?.sha256}.json`);
}

describe("a full disk", () => {
  /** A store whose disk is full after `nth` writes. It reports this as the folder store does. */
  function fullFrom(nth: number): Store {
    const store = openFolderStore(world.path);
    let writes = 0;
    const check = (key: string) => {
      writes += 1;
      if (writes > nth) {
        const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        throw folderError(error, "write", join(world.path, key));
      }
    };
    return {
      ...store,
      async createNew(key, body) {
        check(key);
        return await store.createNew(key, body);
      },
      async replaceIf(key, body, tag) {
        check(key);
        return await store.replaceIf(key, body, tag);
      },
      async createStream(key) {
        check(key);
        return await store.createStream(key);
      },
    };
  }

  // test/crash lets each single write of a run fail.
  test("before a run's first commit: exit 4, and the next run completes it", async () => {
    const store = () => Promise.resolve(fullFrom(2));
    expectTold(await world.type(SYNC, { components: { store } }), {
      kind: "incomplete",
      says: [`cannot write ${world.path}/main/`, "no space left (ENOSPC)"],
      hint: "what was committed is kept; free some space and run again",
    });
    await expectRecovers(world);
  });

  test("an export on a full disk: no pack is published", async () => {
    await synced();
    const before = await snapshot();
    const store = () => Promise.resolve(fullFrom(4));
    expectTold(await world.type(EXPORT, { components: { store } }), {
      kind: "incomplete",
      says: ["no space left (ENOSPC)"],
      hint: "free some space",
    });
    const left = [...(await snapshot()).keys()].filter((path) => path.endsWith("latest.json"));
    expect(left).toEqual([]);
    for (const [path, body] of before) {
      expect(path.endsWith("head.json") || (await readFile(path, "latin1")) === body).toBe(true);
    }
    expect(await world.type(EXPORT)).toMatchObject({ code: 0 });
  });
});

describe("a damaged archive", () => {
  const READERS = [SYNC, ["status"], EXPORT, ["verify"]];

  test.each([
    ["a flipped byte", "is damaged: its sha256 is", (path: string) => flip(path)],
    ["missing", "is missing", (path: string) => rm(path)],
  ] as const)("a manifest, %s: every command reports it, and changes nothing", async (_, says, damage) => {
    await synced();
    const path = await manifestPath();
    await damage(path);
    const before = await snapshot();
    for (const line of READERS) {
      expectTold(await world.type(line), { kind: "untrusted", says: [path, says], hint: RESTORE });
      expect(await snapshot()).toEqual(before);
    }
  });

  test.each([
    ["empty", ""],
    ["another's", '{"format":"fillbook-head/9","seq":1,"epoch":1}'],
  ])(
    "a head, %s: every command reports it, and changes nothing; once it is restored, all commands work",
    async (_, body) => {
      await synced();
      const path = join(world.path, "main/head.json");
      const good = await readFile(path);
      await writeFile(path, body);
      const before = await snapshot();
      for (const line of READERS) {
        expectTold(await world.type(line), {
          kind: "untrusted",
          says: [`${path} is not a head that this version can read`],
          hint: "nothing was changed; restore the object from its last version",
        });
        expect(await snapshot()).toEqual(before);
      }
      await writeFile(path, good);
      await expectRecovers(world);
    },
  );

  test.each([
    ["a flipped byte", "is damaged: its sha256 is", (path: string) => flip(path)],
    ["missing", "is missing", (path: string) => rm(path)],
  ] as const)("a part, %s: verify names it, and an export of its month writes nothing", async (_, says, damage) => {
    await synced();
    const path = await keyOfPart("2025-02");
    const good = await readFile(path);
    await damage(path);
    const verified = await world.type(["verify"]);
    const shown = expectTold(verified, {
      kind: "untrusted",
      says: [/\d+ of the checked objects/],
      hint: "restore the named files",
    });
    expect(shown).toMatchObject({ ok: false });
    expect(shown["findings"]).toEqual([expect.stringMatching(new RegExp(`${path}.* ${says}`))]);
    expectTold(await world.type(EXPORT), { kind: "untrusted", says: [path, says], hint: RESTORE });
    expect(
      [...(await snapshot()).keys()].filter((one) => one.includes("/packs/") && one.endsWith("latest.json")),
    ).toEqual([]);
    await writeFile(path, good);
    await expectRecovers(world);
  });

  test("a damaged data file that a sync must add to: nothing replaces it", async () => {
    const half = ["sync", "--from", "2025-02-15", "--to", "2025-04-01"];
    expect(await world.type(half)).toMatchObject({ code: 0 });
    const path = await keyOfPart("2025-02");
    const good = await readFile(path);
    await flip(path);
    expectTold(await world.type(SYNC), { kind: "untrusted", says: [path, "is damaged"], hint: RESTORE });
    await writeFile(path, good);
    await expectRecovers(world);
  });
});

async function flip(path: string): Promise<void> {
  const body = await readFile(path);
  const at = Math.floor(body.length / 2);
  body[at] = (body[at] ?? 0) ^ 1;
  await writeFile(path, body);
}

describe("a store that cannot be used", () => {
  test("a file in its place", async () => {
    await writeFile(world.path, "a letter");
    for (const line of [SYNC, ["status"], ["verify"], EXPORT]) {
      expectTold(await world.type(line), {
        kind: "usage",
        says: [`${world.path} is not a folder`],
        hint: "name a folder, or one that does not exist yet, with --store",
      });
    }
    expect(await readFile(world.path, "utf8")).toBe("a letter");
  });

  test("a file with the name of the account's folder", async () => {
    await mkdir(world.path);
    await writeFile(join(world.path, "main"), "a letter");
    expectTold(await world.type(SYNC), {
      kind: "usage",
      says: [world.path, "something else is in its place"],
      hint: "--store",
    });
    expect(await readFile(join(world.path, "main"), "utf8")).toBe("a letter");
  });

  test("a folder that may not be read or written", async ({ skip }) => {
    if (process.getuid?.() === 0) {
      skip("the superuser may read and write everywhere");
    }
    await mkdir(world.path, { mode: 0o500 });
    expectTold(await world.type(SYNC), {
      kind: "usage",
      says: [world.path, /not allowed \(EACCES\)/],
      hint: "--store",
    });
    await chmod(world.path, 0o000);
    expectTold(await world.type(["status"]), { kind: "usage", says: [world.path, /not allowed/], hint: "--store" });
    await chmod(world.path, 0o700);
    await expectRecovers(world);
  });
});

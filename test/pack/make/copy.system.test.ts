import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkOutFolder, copyPack } from "../../../lambda/pack/make/copy.ts";
import type { Pack } from "../../../lambda/pack/make/publish.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { bytesOf, FILES, fillOn, packOf } from "../pack.ts";

const DAYS = Array.from({ length: 20 }, (_, day) => fillOn(day, { price: `${day + 1}.50` }));

let store: MemoryStore;
let pack: Pack;
let folder: string;

beforeEach(async () => {
  store = memoryStore();
  pack = await packOf(store, DAYS);
  folder = temporaryFolder();
});

function filesThere(): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
}

function expectWhole(): void {
  expect(filesThere()).toEqual([...FILES].sort());
  for (const path of FILES) {
    expect(readFileSync(join(folder, path)).equals(bytesOf(store, pack, path)), path).toBe(true);
  }
}

/** The store, with an action in the middle of reading a file of the pack: after its first half. */
function inTheMiddleOf(file: string, act: () => void | Promise<void>): Store {
  return {
    ...store,
    async openStream(key) {
      const body = (await store.get(key))?.body ?? new Uint8Array();
      if (!key.endsWith(`/${file}`)) {
        return await store.openStream(key);
      }
      return (async function* () {
        yield body.subarray(0, body.length / 2);
        await act();
        yield body.subarray(body.length / 2);
      })();
    },
  };
}

test("gives the pack, and a second copy gives the same", async () => {
  await copyPack(store, pack, folder);
  expectWhole();
  await copyPack(store, pack, folder);
  expectWhole();
  execFileSync("sha256sum", ["--strict", "--quiet", "-c", "SHA256SUMS"], { cwd: folder });
});

test("says how much of it is copied, and of a second copy how much is there", async () => {
  const of = pack.files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const _ of ["first", "second"]) {
    const told: { path: string; bytes: number; of: number }[] = [];
    await copyPack(store, pack, folder, (path, copied) => told.push({ path, ...copied }));
    expect(new Set(told.map(({ path }) => path))).toEqual(new Set(FILES));
    expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
    expect(told.at(-1)).toMatchObject({ bytes: of, of });
  }
});

test.runIf(process.platform !== "win32")("can be read only by its user", async () => {
  const out = join(folder, "new");
  await copyPack(store, pack, out);
  const modes = (names: readonly string[]) =>
    new Set(names.map((name) => (statSync(join(out, name)).mode & 0o777).toString(8)));
  expect([modes(["", "imports"]), modes(FILES)]).toEqual([new Set(["700"]), new Set(["600"])]);
});

describe("follows no symbolic link to a folder", () => {
  let elsewhere: string;

  beforeEach(() => {
    elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
  });

  afterEach(() => {
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  const refused = (link: string) => ({
    kind: "usage",
    message: `${link} is a symbolic link, and --out does not follow links`,
    hint: "give the folder that it points to, or move the link away",
  });

  test("that is --out itself; it is refused before the walk", async () => {
    const out = join(folder, "out");
    symlinkSync(elsewhere, out);
    expect(() => checkOutFolder(`${out}/`, [])).toThrow(expect.objectContaining(refused(out)));
    await expect(copyPack(store, pack, out)).rejects.toMatchObject(refused(out));
  });

  test("that has no target", async () => {
    const out = join(folder, "out");
    symlinkSync(join(folder, "nowhere"), out);
    expect(() => checkOutFolder(out, [])).toThrow(expect.objectContaining(refused(out)));
    await expect(copyPack(store, pack, out)).rejects.toMatchObject(refused(out));
  });

  test("that is below it; nothing is written", async () => {
    const out = join(folder, "out");
    mkdirSync(out);
    symlinkSync(elsewhere, join(out, "imports"));
    await expect(copyPack(store, pack, out)).rejects.toMatchObject(refused(join(out, "imports")));
    expect(existsSync(join(out, "fills.csv"))).toBe(false);
  });

  test("but a link above --out is the user's own choice", async () => {
    const link = join(folder, "link");
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), link);
    await copyPack(store, pack, join(link, "out"));
    expect(readdirSync(join(folder, "real/out"))).toContain("fills.csv");
  });
});

test("overwrites no other file, not even one that appeared during the copy", async () => {
  const letter = join(folder, "fills.parquet");
  const slow = inTheMiddleOf("fills.parquet", () => writeFileSync(letter, "a letter"));
  const refused = { kind: "usage", message: `${letter} already exists with other content` };
  await expect(copyPack(slow, pack, folder)).rejects.toMatchObject(refused);
  await expect(copyPack(store, pack, folder)).rejects.toMatchObject(refused);
  expect(readFileSync(letter, "utf8")).toBe("a letter");
  expect(filesThere()).toEqual(["fills.csv", "fills.parquet"]);
});

test("removes leftovers of a killed copy, and nothing of the user's", async () => {
  const mine = [".tmp-notes", "fills.csv.partial", "imports/.tmp-1"];
  mkdirSync(join(folder, "imports"));
  for (const path of [...mine, ".tmp-4711-1", "imports/.tmp-4711-12", "imports/.tmp-4712-1"]) {
    writeFileSync(join(folder, path), "half");
  }
  await copyPack(store, pack, folder);
  expect(filesThere()).toEqual([...FILES, ...mine].sort());
});

test("goes on if a faster copy has removed its temporary file", async () => {
  for (const file of FILES) {
    rmSync(folder, { recursive: true });
    await copyPack(
      inTheMiddleOf(file, () => copyPack(store, pack, folder)),
      pack,
      folder,
    );
    expectWhole();
  }
});

test("leaves complete files if it fails in the middle of one, and the next copy goes on", async () => {
  const failing = inTheMiddleOf("fills.parquet", () => {
    throw new Error("the line is dead");
  });
  await expect(copyPack(failing, pack, folder)).rejects.toThrow("the line is dead");
  expect(filesThere()).toEqual(["fills.csv"]);
  await copyPack(store, pack, folder);
  expectWhole();
});

test.each([
  ["damaged", (key: string) => store.put(key, Buffer.from("x"))],
  ["missing", (key: string) => store.delete(key)],
])("of a %s object is refused", async (_, harm) => {
  harm(`${pack.dir}/fills.parquet`);
  await expect(copyPack(store, pack, folder)).rejects.toMatchObject({ kind: "untrusted" });
  expect(filesThere()).toEqual(["fills.csv"]);
});

test("to a path that is a file is a wrong setting", async () => {
  const letter = join(folder, "letter");
  writeFileSync(letter, "a letter");
  await expect(copyPack(store, pack, letter)).rejects.toMatchObject({
    kind: "usage",
    message: `${letter} is not a folder`,
  });
  await expect(copyPack(store, pack, join(letter, "deeper"))).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining("something else is in its place"),
  });
  expect(readFileSync(letter, "utf8")).toBe("a letter");
});

test("a folder within a store, or the store itself, is refused; a folder beside it is accepted", () => {
  const stores = [{ location: "/data/store" }, { location: "s3://bucket/packs" }];
  for (const out of ["/data/store", "/data/store/", "/data/store/main/packs/x", "/data/other/../store/x"]) {
    expect(() => checkOutFolder(out, stores)).toThrow(/within the store/);
  }
  for (const out of ["/data/store-2", "/data", "/data/store/../x", "packs"]) {
    expect(() => checkOutFolder(out, stores)).not.toThrow();
  }
});

test("a copy into a store through a link is refused too, from either side", () => {
  const held = join(folder, "store");
  mkdirSync(held);
  symlinkSync(held, join(folder, "link"));
  for (const [location, out] of [
    [held, join(folder, "link", "main", "packs", "new")],
    [join(folder, "link"), join(held, "new")],
  ] as const) {
    expect(() => checkOutFolder(out, [{ location }])).toThrow(/within the store/);
    expect(() => checkOutFolder(join(folder, "elsewhere", "new"), [{ location }])).not.toThrow();
  }
});

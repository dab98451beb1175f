import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Clock } from "../../lambda/core/clock.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { withFolderLock } from "../../lambda/storage/folder-lock.ts";
import { storeConformance } from "../conformance/store.ts";
import { temporaryFolder } from "../leftovers.ts";
import { bytes, text } from "../support/store-text.ts";

const WRITER = join(import.meta.dirname, "folder-writer.ts");

let base: string;
let path: string;
beforeEach(() => {
  base = temporaryFolder();
  path = join(base, "not", "yet");
});

storeConformance("folder store", () => {
  const open = () => openFolderStore(path);
  return Promise.resolve({ store: open(), reopen: open, cleanup: () => Promise.resolve() });
});

describe("the folder", () => {
  test("is made by the first write, not by opening or reading", async () => {
    const store = openFolderStore(path);
    expect(await store.get("a")).toBeNull();
    expect(await readdir(base)).toEqual([]);
    await store.createNew("a/b", bytes("x"));
    expect(await readFile(join(path, "a", "b"), "utf8")).toBe("x");
    expect(store.location).toBe(path);
  });

  test("holds the objects and the lock, and no temporary file", async () => {
    const store = openFolderStore(path);
    await store.createNew("a", bytes("x"));
    await store.createNew("a", bytes("y"));
    const tag = await store.replaceIf("head", bytes("1"), null);
    await store.replaceIf("head", bytes("2"), tag);
    await store.replaceIf("head", bytes("3"), tag);
    const sink = await store.createStream("b");
    await sink.write(bytes("z"));
    await sink.abort();
    expect((await readdir(path)).sort()).toEqual([".lock", "a", "head"]);
  });

  test.runIf(process.platform === "linux")("that cannot be made: the write fails, and the error says so", async () => {
    const store = openFolderStore("/proc/fillbook/packs");
    await expect(store.createNew("a/b", bytes("x"))).rejects.toMatchObject({
      kind: "usage",
      message: "cannot make the folder /proc/fillbook: nothing can be made in /proc (ENOENT)",
      hint: "choose another folder with --store or --out",
    });
  });

  test("may hold foreign files and leftovers of killed processes: they are no objects", async () => {
    await mkdir(path, { recursive: true });
    const foreign = ["notes (1).txt", ".DS_Store", ".tmp-1-1"];
    const leftovers = Array.from({ length: 40 }, (_, index) => `.tmp-${process.pid}-${index}`);
    for (const name of [...foreign, ...leftovers]) {
      await writeFile(join(path, name), "not ours");
    }
    await symlink("/", join(path, "link"));
    const old = new Date(Date.now() - 8 * 86_400_000);
    await utimes(join(path, `.tmp-${process.pid}-0`), old, old);
    const store = openFolderStore(path);
    expect(await store.createNew("a", bytes("x"))).toBe("created");
    // What is older than a week is deleted.
    expect((await readdir(path)).filter((name) => leftovers.includes(name)).sort()).toEqual(leftovers.slice(1).sort());
    const listed = await Array.fromAsync(store.list(""));
    expect(listed).toMatchObject([{ key: "a", bytes: 1 }]);
    const all = await Array.fromAsync(store.list("", { foreign: true }));
    expect(all.map(({ key, notFile }) => [key, notFile])).toEqual([
      ["a", undefined],
      ["link", "a symbolic link"],
      ["notes (1).txt", undefined],
    ]);
    expect(await readFile(join(path, `.tmp-${process.pid}-1`), "utf8")).toBe("not ours");
  });
});

describe.runIf(process.platform !== "win32")("other users of the machine", () => {
  // The process gets no umask, so that only the requested mode decides.
  let mask = 0;
  beforeEach(() => {
    mask = process.umask(0);
  });
  afterEach(() => {
    process.umask(mask);
  });

  const modeOf = async (name: string) => ((await stat(join(base, name))).mode & 0o777).toString(8);

  test("cannot read folders, objects, temporary files or the lock", async () => {
    const store = openFolderStore(path);
    await store.createNew("a/b", bytes("x"));
    await store.replaceIf("head", bytes("2"), await store.replaceIf("head", bytes("1"), null));
    const sink = await store.createStream("c/d");
    await sink.write(bytes("half"));
    const [temporary = ""] = await readdir(join(path, "c"));
    const made = [
      "not",
      "not/yet",
      "not/yet/a",
      "not/yet/a/b",
      "not/yet/head",
      "not/yet/.lock",
      `not/yet/c/${temporary}`,
    ];
    expect(await Promise.all(made.map(modeOf))).toEqual(["700", "700", "700", "600", "600", "600", "600"]);
    await sink.finish();
    expect(await modeOf("not/yet/c/d")).toBe("600");
  });

  test("keep their rights to an older folder, but not to new files in it or to its lock", async () => {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o775);
    await writeFile(join(path, ".lock"), "");
    await chmod(join(path, ".lock"), 0o644);
    const store = openFolderStore(path);
    await store.replaceIf("head", bytes("2"), await store.replaceIf("head", bytes("1"), null));
    expect(await Promise.all(["not/yet", "not/yet/head", "not/yet/.lock"].map(modeOf))).toEqual(["775", "600", "600"]);
  });
});

describe("the lock", () => {
  test("is reported after 30 s if nobody frees it, and nothing is written", async () => {
    const store = openFolderStore(path, eagerClock());
    const tag = await store.replaceIf("head", bytes("1"), null);
    const held = withFolderLock(join(path, ".lock"), eagerClock(), async () => {
      await expect(store.replaceIf("head", bytes("2"), tag)).rejects.toMatchObject({
        kind: "incomplete",
        message: expect.stringContaining(".lock for 30 s"),
      });
    });
    await held;
    expect(await text(store, "head")).toBe("1");
    expect(await store.replaceIf("head", bytes("2"), tag)).not.toBeNull();
  });

  test("is freed when the work fails", async () => {
    await mkdir(path, { recursive: true });
    const file = join(path, ".lock");
    await expect(withFolderLock(file, eagerClock(), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withFolderLock(file, eagerClock(), () => Promise.resolve("free"))).toBe("free");
  });

  test("in a folder that cannot be written is reported as a wrong setting", async () => {
    const work = () => Promise.resolve();
    await expect(withFolderLock(join(path, ".lock"), eagerClock(), work)).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("cannot lock"),
    });
  });
});

describe("several processes", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) {
      child.kill("SIGKILL");
    }
  });

  function start(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [WRITER, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    return child;
  }

  test("go on when one is killed, and its last confirmed write holds", async () => {
    const store = openFolderStore(path);
    await store.replaceIf("count", bytes("0"), null);
    const others = [1, 2].map(() => once(start("increment", path, "50"), "exit"));
    const victim = start("increment", path, "100000");
    let said = 0;
    victim.stdout?.on("data", (dots: Buffer) => {
      said += dots.length;
      if (said >= 20) {
        victim.kill("SIGKILL");
      }
    });
    await once(victim, "close");
    expect((await Promise.all(others)).map(([code]) => code)).toEqual([0, 0]);
    const count = Number(await text(store, "count"));
    expect([100 + said, 100 + said + 1]).toContain(count); // the last write may have landed without its dot
  });

  test("wait for a lock until its holder is killed", async () => {
    const store = openFolderStore(path);
    const tag = await store.replaceIf("head", bytes("1"), null);
    const holder = start("hold", path);
    await once(holder.stdout ?? holder, "data");
    let killed = false;
    const waiting = store.replaceIf("head", bytes("2"), tag).then((outcome) => ({ outcome, killed }));
    await text(store, "head");
    killed = holder.kill("SIGKILL");
    expect(await waiting).toEqual({ outcome: expect.any(String), killed: true });
  });
});

/** Its sleeps end at once. Its time is the sum of all sleeps. */
function eagerClock(): Clock {
  let slept = 0;
  return {
    now: () => slept,
    monotonic: () => slept,
    sleep: async (ms) => {
      slept += ms;
      await new Promise(setImmediate);
    },
  };
}

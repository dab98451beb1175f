import { type FileHandle, link, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { StoreUnknownError } from "../../lambda/storage/store.ts";
import { storeConformance } from "../conformance/store.ts";
import { temporaryFolder } from "../leftovers.ts";
import { bytes, text } from "../support/store-text.ts";

// Not every machine offers full disks, unusual file systems and missing rights. The file system's answers are
// replaced instead, one call at a time.
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const { link, open, rename, unlink } = real;
  return { ...real, link: vi.fn(link), open: vi.fn(open), rename: vi.fn(rename), unlink: vi.fn(unlink) };
});

let path: string;
beforeEach(() => {
  path = temporaryFolder();
});
afterEach(() => {
  for (const call of [link, open, rename, unlink]) {
    vi.mocked<(...args: never[]) => unknown>(call).mockReset();
  }
});

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made for a test`), { code });
}

/** Makes the given call fail for the next file that is opened with these flags. */
async function breakNextFile(call: "writeFile" | "sync", code: string, flags = "wx"): Promise<void> {
  const { open: realOpen } = await vi.importActual<typeof import("node:fs/promises")>("node:fs/promises");
  let broken = false;
  vi.mocked(open).mockImplementation(async (file, how, mode) => {
    const handle: FileHandle = await realOpen(file, how, mode);
    if (!broken && how === flags) {
      broken = true;
      handle[call] = () => Promise.reject(failure(code));
    }
    return handle;
  });
}

describe("on a file system without hard links", () => {
  beforeEach(() => {
    vi.mocked(link).mockImplementation(() => Promise.reject(failure("EPERM")));
  });

  storeConformance("folder store", () => {
    const opened = () => openFolderStore(path);
    return Promise.resolve({ store: opened(), reopen: opened, cleanup: () => Promise.resolve() });
  });
});

describe("errors of the file system", () => {
  test.each([
    ["ENOSPC", "incomplete", "no space left"],
    ["EDQUOT", "incomplete", "no space left"],
    ["EIO", "incomplete", "it failed (EIO)"],
    ["EACCES", "usage", "not allowed"],
    ["EROFS", "usage", "not allowed"],
    ["ENOENT", "untrusted", "the file or its folder was removed meanwhile"],
    ["EINVAL", "fault", "made for a test"],
  ])("%s is %s, says where, and leaves nothing", async (code, kind, words) => {
    const expected = expect.objectContaining({ kind, message: expect.stringContaining(words) });
    for (const call of ["writeFile", "sync"] as const) {
      const store = openFolderStore(path);
      await breakNextFile(call, code);
      await expect(store.createNew("key", bytes("x"))).rejects.toEqual(expected);
      await breakNextFile(call, code);
      await expect(store.createNew("key", bytes("x"))).rejects.toThrow(path);
      expect(await readdir(path)).toEqual([]);
    }
  });

  test("a stream can be aborted after the disk is full", async () => {
    const store = openFolderStore(path);
    await breakNextFile("writeFile", "ENOSPC");
    const sink = await store.createStream("key");
    await expect(sink.write(bytes("x"))).rejects.toMatchObject({ kind: "incomplete" });
    await sink.abort();
    await breakNextFile("sync", "ENOSPC");
    const second = await store.createStream("key");
    await expect(second.finish()).rejects.toMatchObject({ kind: "incomplete" });
    await second.abort();
    expect(await readdir(path)).toEqual([]);
  });

  test("a rename that fails leaves the head as it was", async () => {
    const store = openFolderStore(path);
    const tag = await store.replaceIf("head", bytes("1"), null);
    vi.mocked(rename).mockRejectedValueOnce(failure("EACCES"));
    await expect(store.replaceIf("head", bytes("2"), tag)).rejects.toMatchObject({ kind: "usage" });
    expect(await text(store, "head")).toBe("1");
  });

  test("if a name cannot be synced, the outcome is unknown, because readers see the name", async () => {
    const store = openFolderStore(path);
    await store.createNew("first", bytes("x")); // so that the folder's own name is synced
    await breakNextFile("sync", "EIO", "r");
    await expect(store.createNew("key", bytes("x"))).rejects.toBeInstanceOf(StoreUnknownError);
    expect(await text(store, "key")).toBe("x");
  });

  test("a file that may not be deleted stays, and the error says so", async () => {
    const store = openFolderStore(path);
    await store.createNew("key", bytes("x"));
    vi.mocked(unlink).mockRejectedValueOnce(failure("EACCES"));
    await expect(store.remove("key")).rejects.toMatchObject({
      kind: "usage",
      message: `cannot delete ${join(path, "key")}: not allowed (EACCES)`,
    });
    expect(await text(store, "key")).toBe("x");
  });

  test("a file that another process deletes at the same moment counts as deleted", async () => {
    const store = openFolderStore(path);
    await store.createNew("key", bytes("x"));
    vi.mocked(unlink).mockRejectedValueOnce(failure("ENOENT"));
    await expect(store.remove("key")).resolves.toBeUndefined();
  });

  test("a read that fails is not an absent object", async () => {
    const store = openFolderStore(path);
    await store.createNew("key", bytes("x"));
    const stream = await store.openStream("key");
    await rm(join(path, "key"));
    await expect(stream && Array.fromAsync(stream)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(`cannot read ${join(path, "key")}`),
    });
  });
});

import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { beforeEach, describe, expect, test } from "vitest";
import { zipPack } from "../../lambda/job/zip-pack.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { faultyStore, KilledError, type StoreFate } from "../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { seededRandom } from "../support/prng.ts";
import { completeness, writeByHand } from "../web/data/hand-written.ts";
import { fakePorts, testedSite } from "../web/site/fake-site.ts";

const PERIOD = "us-2025";
const VERSION = "0123456789abcdef";
const ASKED = { period: PERIOD, version: VERSION };
const KEY = `main/zips/${PERIOD}/${VERSION}.zip`;
const FOLDER = `main/packs/${PERIOD}/${VERSION}`;

/** A text that deflate cannot shrink, longer than one piece of every store. */
const RANDOM = seededRandom(7);
const LONG = Array.from({ length: 40_000 }, () => RANDOM.next().toString(36)).join("\n");
const FILES = {
  "fills.csv": LONG,
  "imports/koinly.csv": "a,b\r\n1,2\r\n",
  "completeness.json": completeness(PERIOD),
};

let store: MemoryStore;
beforeEach(async () => {
  store = memoryStore();
  await writeByHand(store, { ...ASKED, files: FILES });
});

function ports(from: Store, packStore: Store | null = null, signal: AbortSignal = new AbortController().signal) {
  return { account: "main", store: from, packStore, signal };
}

function zip(): Uint8Array | undefined {
  return store.snapshot().get(KEY);
}

describe("the ZIP of a pack", () => {
  test("has the same bytes as the ZIP of the local page, and all files unchanged", async () => {
    const { sha256, bytes, ...result } = await zipPack(ports(store), ASKED);
    expect(result).toEqual({ account: "main", ...ASKED, complete: true });
    const stores = (account: string) => ({ account, store, packStore: null });
    const local = await testedSite({ ...fakePorts(), storesOf: stores }).bytes(`/a/main/p/${PERIOD}/${VERSION}/zip`);
    expect(Buffer.compare(zip() ?? Buffer.alloc(0), local)).toBe(0);
    expect(
      createHash("sha256")
        .update(zip() ?? "")
        .digest("hex"),
    ).toBe(sha256);
    expect(zip()).toHaveLength(bytes);
    const folder = `main-${PERIOD}-${VERSION}`;
    const unzipped = Object.entries(unzipSync(zip() ?? new Uint8Array()));
    expect(unzipped.map(([path]) => path)).toEqual(
      [...Object.keys(FILES), "SHA256SUMS"].map((path) => `${folder}/${path}`),
    );
    for (const [path, body] of unzipped) {
      expect(Buffer.compare(body, store.snapshot().get(path.replace(folder, FOLDER)) ?? new Uint8Array())).toBe(0);
    }
  });

  test("is in the archive's store, wherever the pack is", async () => {
    const own = memoryStore();
    const { sha256 } = await zipPack(ports(own, store), ASKED);
    expect([...own.snapshot().keys()]).toEqual([KEY]);
    expect(zip()).toBeUndefined();
    expect(await zipPack(ports(store, own), ASKED)).toMatchObject({ sha256 });
  });

  test("that exists already is kept, which is a success", async () => {
    const first = await zipPack(ports(store), ASKED);
    const { operations, ...watched } = faultyStore(store, () => "ok");
    expect(await zipPack(ports(watched), ASKED)).toEqual(first);
    expect(operations.filter(({ method }) => ["replaceIf", "remove"].includes(method))).toEqual([]);
  });

  test.each([
    { period: PERIOD, version: "fedcba9876543210" },
    { period: "us-2024", version: VERSION },
    { period: "..", version: VERSION },
    { period: `${PERIOD}/${VERSION}`, version: ".." },
  ])("is not made if the pack does not exist: %j", async (asked) => {
    await expect(zipPack(ports(store), asked)).rejects.toMatchObject({ kind: "usage" });
    await expect(zipPack({ ...ports(store), account: "other" }, ASKED)).rejects.toMatchObject({ kind: "usage" });
    expect([...store.snapshot().keys()].filter((key) => key.includes("zips"))).toEqual([]);
  });

  test.each([
    ["is damaged", () => store.put(`${FOLDER}/fills.csv`, Buffer.from(LONG.replace(/.$/, "!")))],
    ["is longer", () => store.put(`${FOLDER}/fills.csv`, Buffer.from(`${LONG}x`))],
  ])("is not made if a file %s", async (_, damage) => {
    damage();
    await expect(zipPack(ports(store), ASKED)).rejects.toMatchObject({ kind: "untrusted" });
    expect(zip()).toBeUndefined();
  });
});

describe("no part of a ZIP is visible when", () => {
  test("its time is up, at whichever piece", async () => {
    const { operations: whole, ...watched } = faultyStore(store, () => "ok");
    await zipPack(ports(watched), ASKED);
    store.delete(KEY);
    const writes = whole.filter(({ method }) => method === "write").length;
    expect(writes).toBeGreaterThan(5);
    for (let last = 0; last < writes - 1; last += 1) {
      const stop = new AbortController();
      const { operations, ...stopped } = faultyStore(store, ({ method, nth }) => {
        if (method === "write" && nth === last) {
          stop.abort();
        }
        return "ok";
      });
      const run = zipPack(ports(stopped, null, stop.signal), ASKED);
      await expect(run).rejects.toMatchObject({ kind: "incomplete" });
      expect(operations.filter(({ method }) => method === "write")).toHaveLength(last + 1);
      expect(operations.at(-1)?.method).toBe("abort");
      expect(zip()).toBeUndefined();
    }
  });

  test("its process is killed, at whichever operation; the next one makes it", async () => {
    const { sha256 } = await zipPack(ports(store), ASKED);
    store.delete(KEY);
    const { operations, ...watched } = faultyStore(store, () => "ok");
    await zipPack(ports(watched), ASKED);
    for (const { index } of operations) {
      for (const fate of ["kill-before", "kill-after"] as const) {
        store.delete(KEY);
        const killed = faultyStore(store, (operation) => (operation.index === index ? fate : "ok"));
        const outcome = await zipPack(ports(killed), ASKED).catch((error: unknown) => error);
        expect(outcome).toBeInstanceOf(KilledError);
        const left = zip();
        if (left !== undefined) {
          expect(createHash("sha256").update(left).digest("hex")).toBe(sha256);
        }
        expect(await zipPack(ports(store), ASKED)).toMatchObject({ sha256 });
      }
    }
  });
});

test.each<[StoreFate, boolean]>([
  ["lost-after", true],
  ["lost-before", false],
])("a ZIP whose last call gets the answer %s counts as made if the store has it", async (fate, isThere) => {
  const lost = faultyStore(store, ({ method }) => (method === "finish" ? fate : "ok"));
  const outcome = await zipPack(ports(lost), ASKED).catch((error: unknown) => error);
  expect(outcome).toMatchObject(isThere ? { complete: true } : { kind: "incomplete" });
  expect(zip() !== undefined).toBe(isThere);
});

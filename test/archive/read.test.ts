import { describe, expect, test } from "vitest";
import { swapHead } from "../../lambda/archive/head.ts";
import { manifestKey, sha256Of } from "../../lambda/archive/keys.ts";
import { type DataFile, emptyManifest, type Manifest } from "../../lambda/archive/manifest.ts";
import { fillsIn, readArchive, unitsOf } from "../../lambda/archive/read.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { bytes } from "../support/store-text.ts";

/** An archive whose head names an object with this text. */
async function archiveOf(body: string, seq = 1) {
  const store = memoryStore();
  const sha256 = sha256Of(bytes(body));
  const key = manifestKey("main", seq, sha256);
  store.put(key, bytes(body));
  const ports = { store, clock: fakeClock({ now: 0, auto: true }), random: namedRandom("c"), account: "main" };
  await swapHead(ports, null, { manifest: { seq, sha256 } });
  return { store, key, sha256 };
}

const FILE: DataFile = {
  ...{ from: 0, to: 10, sha256: "a", run: "r", fills: 3, bytes: 5, firstTrade: 1, lastTrade: 2, exceptions: 0 },
  kind: "part",
};
const FULL: Manifest = {
  ...emptyManifest("main"),
  seq: 1,
  run: "r",
  fills: 7,
  dataFiles: [FILE],
  coverage: [{ from: 0, to: 9, readings: 2, silentIn: 4 }],
  restatements: [{ sha256: "b", run: "r", seq: 1, rows: 1, firstTrade: 1, lastTrade: 1 }],
};

describe("reading an archive", () => {
  test("no archive: an empty manifest without a name", async () => {
    expect(await readArchive(memoryStore(), "main")).toEqual({ manifest: emptyManifest("main"), ref: null });
  });

  test("reads the manifest that the head names, whatever other objects exist", async () => {
    const { store, sha256 } = await archiveOf(JSON.stringify(FULL));
    store.put(manifestKey("main", 2, sha256), bytes("a commit that was not finished"));
    expect(await readArchive(store, "main")).toEqual({ manifest: FULL, ref: { seq: 1, sha256 } });
  });

  test.each<[string, object | string]>([
    ["another account's", { ...FULL, account: "other" }],
    ["another number's", { ...FULL, seq: 2 }],
    ["another format's", { ...FULL, format: "fillbook-manifest/3" }],
    ["no JSON", "no manifest"],
  ])("%s: refused by name", async (_, manifest) => {
    const { store, key } = await archiveOf(typeof manifest === "string" ? manifest : JSON.stringify(manifest));
    await expect(readArchive(store, "main")).rejects.toMatchObject({
      kind: "untrusted",
      message: `memory/${key} is not a manifest that this version can read`,
    });
  });

  test("a manifest that is damaged or missing is refused by name", async () => {
    const { store, key } = await archiveOf(JSON.stringify(FULL));
    store.put(key, bytes(JSON.stringify({ ...FULL, fills: 1 })));
    const message = expect.stringContaining(`memory/${key} is damaged`);
    await expect(readArchive(store, "main")).rejects.toMatchObject({ kind: "untrusted", message });
    store.delete(key);
    await expect(readArchive(store, "main")).rejects.toThrow(`memory/${key} is missing`);
  });
});

const file = (from: number, to: number, sha256: string, kind: DataFile["kind"] = "part"): DataFile => ({
  ...FILE,
  ...{ from, to, sha256, kind, firstTrade: from, lastTrade: to },
});

test("units are data files in order of time; those that overlap are one unit", () => {
  const dataFiles = [file(20, 30, "c"), file(0, 10, "a"), file(8, 12, "b", "chain"), file(12, 20, "d")];
  expect(
    unitsOf({ dataFiles }).map(({ from, to, fills, files }) => [from, to, fills, files.map(({ sha256 }) => sha256)]),
  ).toEqual([
    [0, 12, 6, ["a", "b"]],
    [12, 20, 3, ["d"]],
    [20, 30, 3, ["c"]],
  ]);
  expect(fillsIn({ dataFiles }, [{ from: 9, to: 11 }])).toBe(6);
});

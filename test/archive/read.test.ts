import { describe, expect, test } from "vitest";
import { nextHead, swapHead } from "../../lambda/archive/head.ts";
import { manifestKey, sha256Of } from "../../lambda/archive/keys.ts";
import { type Checkpoint, emptyManifest, type Manifest } from "../../lambda/archive/manifest.ts";
import { manifestBody, readArchive } from "../../lambda/archive/read.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

async function archiveOf(body: string, seq = 1, current: Manifest | null = null) {
  const store = memoryStore();
  const sha256 = sha256Of(bytes(body));
  const key = manifestKey("main", seq, sha256);
  store.put(key, bytes(body));
  const random = { next: () => 0.5, id: () => "id" };
  const head = nextHead(null, { manifest: { seq, sha256 }, current }, random);
  await swapHead({ store, clock: fakeClock({ auto: true }) }, "main", head, null);
  return { store, key, sha256 };
}

describe("the copy of the manifest in the head", () => {
  const manifest: Manifest = { ...emptyManifest("main"), seq: 1, fills: 7 };
  const body = Buffer.from(manifestBody(manifest)).toString();

  test("is read with the head, in one request", async () => {
    const { store } = await archiveOf(body, 1, manifest);
    const watched = faultyStore(store, () => "ok");
    expect((await readArchive(watched, "main")).manifest).toEqual(manifest);
    expect(watched.operations.map(({ method, key }) => `${method} ${key}`)).toEqual(["get main/head.json"]);
  });

  test.each<[string, unknown]>([
    ["one of its numbers differs", { ...manifest, fills: 8 }],
    ["it belongs to the commit before", { ...emptyManifest("main"), seq: 1 }],
    ["it belongs to another account", { ...manifest, account: "other" }],
    ["a field is missing", { ...manifest, index: undefined }],
    ["its fields are in another order", Object.fromEntries(Object.entries(manifest).reverse())],
    ["it is not a manifest", "text"],
    ["it is missing", undefined],
  ])("is not used if %s: the object is read instead", async (_, current) => {
    const { store, key } = await archiveOf(body, 1, current as Manifest);
    const watched = faultyStore(store, () => "ok");
    expect((await readArchive(watched, "main")).manifest).toEqual(manifest);
    expect(watched.operations.map((one) => one.key)).toEqual(["main/head.json", key]);
  });

  test("does not match, and the object is damaged: the message names the object", async () => {
    const { store, key } = await archiveOf(body, 1, { ...manifest, fills: 8 });
    store.put(key, bytes(JSON.stringify({ ...manifest, fills: 8 })));
    await expect(readArchive(store, "main")).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(`memory/${key} is damaged`),
    });
  });
});

describe("reading an archive", () => {
  test("no archive: an empty manifest without a name", async () => {
    const { manifest, manifestIndex, ref } = await readArchive(memoryStore(), "main");
    expect({ manifest, ref }).toEqual({ manifest: emptyManifest("main"), ref: null });
    expect(manifestIndex.sum).toMatchObject({ dataFiles: 0, windows: 0, restatements: 0 });
  });

  test("reads the manifest that the head names, whatever other objects exist", async () => {
    const manifest: Manifest = { ...emptyManifest("main"), seq: 1, fills: 7 };
    const { store, sha256 } = await archiveOf(JSON.stringify(manifest));
    store.put(manifestKey("main", 2, sha256), bytes("a commit that was not finished"));
    expect(await readArchive(store, "main")).toMatchObject({ manifest, ref: { seq: 1, sha256 } });
  });

  test.each<[string, object]>([
    ["another account's", { ...emptyManifest("other"), seq: 1 }],
    ["another number's", { ...emptyManifest("main"), seq: 2 }],
    ["another format's", { ...emptyManifest("main"), seq: 1, format: "fillbook-manifest/4" }],
  ])("%s manifest is refused by name", async (_, manifest) => {
    const { store, key } = await archiveOf(JSON.stringify(manifest));
    await expect(readArchive(store, "main")).rejects.toMatchObject({
      kind: "untrusted",
      message: `memory/${key} is not a manifest that this version can read`,
    });
  });

  const window = {
    from: 0,
    to: 9,
    dated: true,
    askFrom: 0,
    askTo: 9,
    cut: null,
    cursor: "c",
    cursorAt: 1,
    pages: 1,
    duplicates: 0,
    pagesHash: "0",
    lowest: 1,
    highest: 2,
    rawResponses: ["main/pages/x"],
  };

  test("a checkpoint with every field that a manifest may have is read", async () => {
    const checkpoint: Checkpoint = {
      ...emptyManifest("main").checkpoint,
      open: [{ ...window, rows: 3, came: "mixed" }],
      failed: [{ from: 0, to: 9, rawResponses: [] }],
      order: { direction: "ascending", evidence: -3.5, refuted: false, endSeen: true },
      rechecks: [{ from: 0, to: 9 }],
      unsettled: [{ from: 0, to: 9, askedAt: 10, rechecked: true }],
      limits: { refusedMs: null, acceptedMs: 5 },
      assumed: [{ from: 0, to: 9, widthMs: 2 }],
      beforeBeginning: -5,
      forgottenTo: 4,
      mostRows: 100,
      mostSent: 100,
      shortestPage: 100,
      clampSeen: true,
      falseEnds: true,
      ties: "kept",
    };
    const lateness = { maxMs: 1, count: 2, lastSeenAt: 3 };
    const manifest = { ...emptyManifest("main"), seq: 1, lateness, checkpoint };
    const { store } = await archiveOf(JSON.stringify(manifest));
    expect((await readArchive(store, "main")).manifest).toEqual(manifest);
  });

  // What development versions wrote under the current number.
  test.each<[string, object]>([
    ["checkpoint", { checkpoint: undefined }],
    ["checkpoint.rechecks", { checkpoint: { ...emptyManifest("main").checkpoint, rechecks: undefined, again: [] } }],
    [
      "checkpoint.open[0].rawResponses",
      {
        checkpoint: {
          ...emptyManifest("main").checkpoint,
          open: [{ ...window, rawResponses: undefined, evidence: [] }],
        },
      },
    ],
    [
      "checkpoint.failed[0].rawResponses",
      { checkpoint: { ...emptyManifest("main").checkpoint, failed: [{ from: 0, to: 9, evidence: [] }] } },
    ],
    ["coverage[0].to", { coverage: [{ from: 0 }] }],
    ["fills", { fills: "7" }],
  ])("a manifest whose %s is missing or of another kind is refused by name, in the head too", async (field, wrong) => {
    const manifest = { ...emptyManifest("main"), seq: 1, ...wrong };
    const text = Buffer.from(manifestBody(manifest as Manifest)).toString();
    for (const current of [null, manifest as Manifest]) {
      const { store, key } = await archiveOf(text, 1, current);
      await expect(readArchive(store, "main")).rejects.toMatchObject({
        kind: "untrusted",
        message: `memory/${key} is not a manifest that this version can read: its field ${field} is missing or of another kind`,
      });
    }
  });

  test("what is not JSON is refused by name", async () => {
    const { store, key } = await archiveOf("no manifest");
    await expect(readArchive(store, "main")).rejects.toMatchObject({
      kind: "untrusted",
      message: `memory/${key} is not a manifest that this version can read`,
    });
  });

  test("a manifest whose bytes do not match its name is refused by name", async () => {
    const { store, key } = await archiveOf(JSON.stringify({ ...emptyManifest("main"), seq: 1 }));
    store.put(key, bytes(JSON.stringify({ ...emptyManifest("main"), seq: 1, fills: 1 })));
    await expect(readArchive(store, "main")).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(`memory/${key} is damaged`),
    });
  });

  test("a missing manifest is refused by name", async () => {
    const { store, key } = await archiveOf("{}");
    store.delete(key);
    await expect(readArchive(store, "main")).rejects.toThrow(`memory/${key} is missing`);
  });
});

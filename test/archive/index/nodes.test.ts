import { describe, expect, test } from "vitest";
import { ManifestIndex } from "../../../lambda/archive/index/manifest-index.ts";
import type { Branch, Node } from "../../../lambda/archive/index/node.ts";
import { nodeKey, sha256Of } from "../../../lambda/archive/keys.ts";
import { DAY_MS, MINUTE_MS } from "../../../lambda/core/time.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type FaultyStore, faultyStore, type StoreFate } from "../../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { dataFileAt, recount, windowAt } from "./model.ts";

const EVER = { from: 0, to: Date.UTC(2100, 0) };
const FIRST = Date.UTC(2024, 0, 1);

function portsOf(store: MemoryStore | FaultyStore) {
  return { account: "main", store, clock: fakeClock({ auto: true }) };
}

/**
 * `perDay` data files on each of `days` days. 70 a day make a leaf for every hour, and a branch for every
 * day, month and year.
 */
async function archiveOf({ days, perDay }: { days: number; perDay: number }) {
  const store = memoryStore();
  const widthMs = DAY_MS / perDay;
  const dataFiles = Array.from({ length: days * perDay }, (_, index) => {
    const from = FIRST + Math.floor(index * widthMs);
    return dataFileAt(from, FIRST + Math.floor((index + 1) * widthMs));
  });
  const manifestIndex = await (await ManifestIndex.empty(portsOf(store)).change({ added: { dataFiles } })).seal({
    clock: fakeClock({ auto: true }),
    epoch: 1,
  });
  return { store, manifestIndex, dataFiles };
}

function nodesIn(store: MemoryStore): string[] {
  return [...store.snapshot().keys()].filter((key) => key.startsWith("main/index/"));
}

describe("a node is read again only after many others were read", () => {
  test("in an archive with fewer nodes than are kept: never", async () => {
    const { store, manifestIndex } = await archiveOf({ days: 8, perDay: 70 });
    const nodes = nodesIn(store).length;
    const counting = faultyStore(store, () => "ok");
    const opened = ManifestIndex.of(portsOf(counting), manifestIndex.root);
    await opened.dataFiles(EVER);
    expect(counting.operations).toHaveLength(nodes);
    const changed = await (await opened.change({ added: { windows: [windowAt(FIRST, FIRST + 1)] } })).seal({
      clock: fakeClock({ auto: true }),
      epoch: 2,
    });
    await changed.dataFiles(EVER);
    expect(counting.operations.filter(({ method }) => method === "get")).toHaveLength(nodes);
  });

  test("in an archive with more nodes: only those read long ago", async () => {
    const { store, manifestIndex } = await archiveOf({ days: 12, perDay: 70 });
    const nodes = nodesIn(store).length;
    expect(nodes).toBeGreaterThan(256);
    const counting = faultyStore(store, () => "ok");
    const opened = ManifestIndex.of(portsOf(counting), manifestIndex.root);
    await opened.dataFiles(EVER);
    await opened.dataFiles(EVER);
    expect(counting.operations.length).toBeGreaterThan(nodes);
    const { length } = counting.operations;
    await opened.dataFiles({ from: FIRST + 11 * DAY_MS - 1, to: FIRST + 11 * DAY_MS }); // the node read last
    expect(counting.operations).toHaveLength(length);
  });
});

describe("writing", () => {
  const fates: readonly StoreFate[] = ["lost-before", "lost-after", "late"];

  test.each(fates)("a lost answer (%s) is requested again", async (fate) => {
    const store = memoryStore();
    const faulty = faultyStore(store, ({ nth, method }) => (method === "createNew" && nth % 3 === 0 ? fate : "ok"));
    const dataFiles = Array.from({ length: 300 }, (_, index) =>
      dataFileAt(FIRST + index * DAY_MS, FIRST + index * DAY_MS + 1),
    );
    const ports = portsOf(faulty);
    const manifestIndex = await (await ManifestIndex.empty(ports).change({ added: { dataFiles } })).seal({
      clock: fakeClock({ auto: true }),
      epoch: 1,
    });
    expect(await ManifestIndex.of(portsOf(store), manifestIndex.root).dataFiles(EVER)).toEqual(dataFiles);
  });

  test("a run that ends after any of its writes leaves the earlier commit whole", async () => {
    const { store, manifestIndex, dataFiles } = await archiveOf({ days: 70, perDay: 2 });
    const added = {
      dataFiles: [0, 20, 40].map((day) => dataFileAt(FIRST + day * DAY_MS + 1, FIRST + day * DAY_MS + 2, 1)),
    };
    const all = [...dataFiles, ...added.dataFiles].sort((a, b) => a.from - b.from);
    for (let kill = 0; ; kill += 1) {
      const faulty = faultyStore(store, ({ nth, method }) =>
        method === "createNew" && nth === kill ? "kill-after" : "ok",
      );
      const opened = ManifestIndex.of(portsOf(faulty), manifestIndex.root);
      const next = await (await opened.change({ added }))
        .seal({ clock: fakeClock({ auto: true }), epoch: 2 + kill })
        .catch(() => null);
      expect(await ManifestIndex.of(portsOf(store), manifestIndex.root).dataFiles(EVER)).toEqual(dataFiles);
      if (next !== null) {
        expect(kill).toBe(2); // writes January and February; March is the newest and stays in the root
        expect(await ManifestIndex.of(portsOf(store), next.root).dataFiles(EVER)).toEqual(all);
        break;
      }
    }
  });
});

/**
 * The archive of `archiveOf`, with a changed node for its first month. Its name and hashes agree with the
 * change.
 */
async function archiveWith(change: (node: Json) => unknown): Promise<ManifestIndex> {
  const { store, manifestIndex } = await archiveOf({ days: 70, perDay: 2 });
  const root = structuredClone(manifestIndex.root) as Json;
  const year = root["children"][0]["at"];
  const month = year["children"][0];
  const key = nodeKey("main", "2024-01", month["at"]);
  const node = JSON.parse(new TextDecoder().decode((await store.get(key))?.body));
  const body = new TextEncoder().encode(JSON.stringify(change(node)));
  const sha256 = sha256Of(body);
  store.put(nodeKey("main", "2024-01", { epoch: 1, sha256 }), body);
  month["at"]["sha256"] = sha256;
  return ManifestIndex.of(portsOf(store), root as unknown as Node);
}

// biome-ignore lint/suspicious/noExplicitAny: what is read may be anything, and is bent in every way here
type Json = any;

const UNREADABLE = { kind: "untrusted", message: expect.stringContaining("that this version can read") };
const WRONG_SUM = { kind: "untrusted", message: expect.stringContaining("does not match the sums") };

describe("an object that is not the node that the archive names is refused", () => {
  test("if it is missing, damaged, or the node of another unit", async () => {
    const { store, manifestIndex } = await archiveOf({ days: 70, perDay: 2 });
    const [january = "", february = ""] = nodesIn(store);
    const body = store.snapshot().get(january) ?? new Uint8Array();
    store.delete(january);
    const asked = { from: FIRST, to: FIRST + 1 };
    await expect(ManifestIndex.of(portsOf(store), manifestIndex.root).dataFiles(asked)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("is missing"),
    });
    store.put(january, store.snapshot().get(february) ?? new Uint8Array());
    await expect(ManifestIndex.of(portsOf(store), manifestIndex.root).dataFiles(asked)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("is damaged"),
    });
    store.put(january, body);
    expect(await ManifestIndex.of(portsOf(store), manifestIndex.root).dataFiles(asked)).toHaveLength(1);
  });

  test.each<[string, (node: Json) => unknown, object]>([
    ["no record", () => [], UNREADABLE],
    ["null", () => null, UNREADABLE],
    ["no kind", ({ kind, ...rest }) => rest, UNREADABLE],
    ["another kind", (node) => ({ ...node, kind: "stored" }), UNREADABLE],
    ["no windows", ({ windows, ...rest }) => rest, UNREADABLE],
    ["data files that are not a list", (node) => ({ ...node, dataFiles: { length: 1 } }), UNREADABLE],
    ["an invalid data file", (node) => ({ ...node, dataFiles: [null] }), UNREADABLE],
    ["a part twice", (node) => ({ ...node, dataFiles: [node.dataFiles[0], ...node.dataFiles] }), UNREADABLE],
    ["data files in another order", (node) => ({ ...node, dataFiles: node.dataFiles.toReversed() }), UNREADABLE],
    ["a data file of another month", (node) => withDataFile(node, { from: Date.UTC(2024, 1, 3) }), UNREADABLE],
    ["a data file that ends before it begins", (node) => withDataFile(node, { to: 0 }), UNREADABLE],
    ["a time as text", (node) => withDataFile(node, { firstTrade: "1704067200000" }), UNREADABLE],
    ["a fraction of a row", (node) => withDataFile(node, { rows: 0.5 }), UNREADABLE],
    ["a negative number of rows", (node) => withDataFile(node, { rows: -1 }), UNREADABLE],
    ["an invalid set-hash", (node) => withDataFile(node, { setHash: "0x1" }), UNREADABLE],
    ["an invalid key", (node) => withDataFile(node, { key: 5 }), UNREADABLE],
    [
      "raw responses that are not text",
      (node) => ({ ...node, windows: [{ ...windowAt(FIRST, FIRST + 1), rawResponses: [7] }] }),
      UNREADABLE,
    ],
    ["empty restatements", (node) => ({ ...node, restatements: [{}] }), UNREADABLE],
    ["a branch without children", () => ({ kind: "branch", children: [] }), UNREADABLE],
    ["a branch of itself", (node) => branchOf([{ from: FIRST, to: Date.UTC(2024, 1), at: node }]), UNREADABLE],
    ["a node inside", (node) => branchOf([{ from: FIRST, to: FIRST + DAY_MS, at: node }]), UNREADABLE],
    [
      "a child of no unit",
      () =>
        branchOf([{ from: FIRST, to: FIRST + 2 * DAY_MS, at: { kind: "stored", epoch: 1, sha256: "0".repeat(64) } }]),
      UNREADABLE,
    ],
    [
      "a path for a hash",
      () => branchOf([{ from: FIRST, to: FIRST + DAY_MS, at: { kind: "stored", epoch: 1, sha256: "../head" } }]),
      UNREADABLE,
    ],
    ["a part fewer", (node) => ({ ...node, dataFiles: node.dataFiles.slice(1) }), WRONG_SUM],
    ["another count of rows", (node) => withDataFile(node, { rows: 1_000_000 }), WRONG_SUM],
    [
      "another end, so that queries would miss the file",
      (node) => withDataFile(node, { to: Date.UTC(2030, 0) }),
      WRONG_SUM,
    ],
    ["a missing child", () => branchOf([storedDay()]), WRONG_SUM],
  ])("%s", async (_, change, refusal) => {
    const manifestIndex = await archiveWith(change);
    await expect(manifestIndex.dataFiles({ from: FIRST, to: FIRST + 1 })).rejects.toMatchObject(refusal);
    await expect(manifestIndex.change({ added: { windows: [windowAt(FIRST, FIRST + 1)] } })).rejects.toMatchObject(
      refusal,
    );
    expect(await manifestIndex.dataFiles({ from: Date.UTC(2024, 2, 2), to: Date.UTC(2024, 2, 3) })).toHaveLength(2);
  });

  test("if it is not JSON, or too large for a node", async () => {
    const { store, manifestIndex } = await archiveOf({ days: 70, perDay: 2 });
    for (const [body, message] of [
      [new Uint8Array([0xff, 0xfe]), "that this version can read"],
      [new Uint8Array(33 * 1024 * 1024), "is larger than any index node that fillbook writes"],
    ] as const) {
      const root = structuredClone(manifestIndex.root) as Json;
      const month = root.children[0].at.children[0];
      month.at.sha256 = sha256Of(body);
      store.put(nodeKey("main", "2024-01", month.at), body);
      await expect(ManifestIndex.of(portsOf(store), root).dataFiles(EVER)).rejects.toMatchObject({
        kind: "untrusted",
        message: expect.stringContaining(message),
      });
    }
  });
});

function withDataFile(node: Json, fields: object): Json {
  return { ...node, dataFiles: [{ ...node.dataFiles[0], ...fields }, ...node.dataFiles.slice(1)] };
}

function branchOf(children: readonly object[]): Json {
  const sum = recount({ dataFiles: [], windows: [], restatements: [] });
  return { kind: "branch", children: children.map((child) => ({ sum, ...child })) };
}

function storedDay() {
  return { from: FIRST, to: FIRST + DAY_MS, at: { kind: "stored", epoch: 1, sha256: "0".repeat(64) } };
}

describe("a root that this version cannot read is refused at once", () => {
  const year = (root: Json): Json => root.children[0];
  test.each<[string, (root: Json) => unknown]>([
    ["nothing", () => undefined],
    ["null", () => null],
    ["text", () => "leaf"],
    ["no kind", ({ kind, ...rest }) => rest],
    ["a stored root", () => ({ kind: "stored", epoch: 1, sha256: "0".repeat(64) })],
    ["an older node that is not stored", (root) => ({ ...root, children: [{ ...year(root) }, ...root.children] })],
    [
      "a sum that is not that of the newest",
      (root) => ({ ...root, children: [{ ...year(root), sum: { ...year(root).sum, fills: 1 } }] }),
    ],
    ["a sum without a field", (root) => ({ ...root, children: [{ ...year(root), sum: { dataFiles: 1 } }] })],
    ["an invalid year", (root) => ({ ...root, children: [{ ...year(root), to: year(root).to + MINUTE_MS }] })],
  ])("%s", async (_, change) => {
    const { store, manifestIndex } = await archiveOf({ days: 70, perDay: 2 });
    const root = change(structuredClone(manifestIndex.root)) as Branch;
    expect(() => ManifestIndex.of(portsOf(store), root)).toThrow(
      expect.objectContaining({
        kind: "untrusted",
        message: expect.stringContaining("has no index that this version can read"),
      }),
    );
  });
});

test("a minute with too many entries is refused before it is written, because it could not be read", async () => {
  const store = memoryStore();
  const rawResponses = Array.from({ length: 1000 }, (_, index) => `main/pages/${String(index).padStart(340, "0")}`);
  const windows = Array.from({ length: 100 }, (_, index) => ({ ...windowAt(FIRST, FIRST + 1 + index), rawResponses }));
  const newest = dataFileAt(Date.UTC(2025, 0), Date.UTC(2025, 1));
  const manifestIndex = await ManifestIndex.empty(portsOf(store)).change({ added: { windows, dataFiles: [newest] } });
  await expect(manifestIndex.seal({ clock: fakeClock({ auto: true }), epoch: 1 })).rejects.toMatchObject({
    kind: "fault",
    message: expect.stringContaining("T0000"),
  });
  expect(nodesIn(store)).toEqual([]);
});

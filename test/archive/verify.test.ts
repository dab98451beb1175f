import { beforeEach, describe, expect, test } from "vitest";
import { draftOf, encodeDataFile, readDataFile } from "../../lambda/archive/data-file.ts";
import { dataFileKey, manifestKey, restatementsKey, tableKey } from "../../lambda/archive/keys.ts";
import type { DataFile, Manifest } from "../../lambda/archive/manifest.ts";
import { readArchive, type Snapshot } from "../../lambda/archive/read.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import { StoppedError } from "../../lambda/core/errors.ts";
import { byTxCreated, type Fill } from "../../lambda/core/fill.ts";
import { stoppingStore } from "../support/faulty-store.ts";
import { makeFill } from "../support/make-fill.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { fileOnce, fillOn, MARCH } from "./filed.ts";

const RANGE = { from: MARCH.from, to: Date.UTC(2025, 5, 1) };
const FILLS = Array.from({ length: 90 }, (_, day) => fillOn(day + 1));

let store: MemoryStore;
let archive: Snapshot;

/** Three months in three data files, and one restatement. */
beforeEach(async () => {
  store = memoryStore();
  await fileOnce(store, FILLS, RANGE);
  await fileOnce(store, [fillOn(40, { fee: "9" })], RANGE);
  archive = await readArchive(store, "main");
  expect([archive.manifest.dataFiles.length, archive.manifest.restatements.length]).toEqual([3, 1]);
});

async function findings(manifest: Manifest = archive.manifest, range: { from: number; to: number } | null = null) {
  return (await verifyArchiveObjects(store, { ...archive, manifest }, range)).findings;
}

function fileAt(place: number): DataFile {
  return archive.manifest.dataFiles[place] as DataFile;
}

/** The manifest, with one data file replaced by another that holds `fills`. Its hash and count are right. */
function withFile(place: number, fills: readonly Fill[]): Manifest {
  const { from, to } = fileAt(place);
  const { file, body } = encodeDataFile(draftOf({ from, to, kind: "part" }, fills), "f".repeat(12));
  store.put(dataFileKey("main", file), body);
  const dataFiles = archive.manifest.dataFiles.map((one, at) => (at === place ? file : one));
  return { ...archive.manifest, dataFiles, fills: dataFiles.reduce((sum, one) => sum + one.fills, 0) };
}

test("an undamaged archive has no findings, and every object of it was read", async () => {
  const { checked, findings: found } = await verifyArchiveObjects(store, archive, null);
  expect({ checked, found }).toEqual({ checked: 8, found: [] });
});

const kinds: readonly [string, () => string][] = [
  ["the manifest", () => manifestKey("main", archive.manifest.seq, archive.ref?.sha256 ?? "")],
  ["a data file", () => dataFileKey("main", fileAt(1))],
  ["a restatement", () => restatementsKey("main", archive.manifest.restatements[0] ?? { sha256: "", run: "" })],
  ["a table's file", () => tableKey("main", "2025-04")],
];
const flipped = (body: Uint8Array = new Uint8Array()) => body.with(body.length >> 1, (body[body.length >> 1] ?? 0) ^ 1);
const damages: readonly [string, (key: string) => void][] = [
  ["a flipped byte", (key) => store.put(key, flipped(store.snapshot().get(key)))],
  ["missing", (key) => store.delete(key)],
];
test.each(kinds.flatMap(([what, keyOf]) => damages.map(([how, act]) => [what, how, keyOf, act] as const)))(
  "damage to an object is found, and the object is named: %s, %s",
  async (_, _how, keyOf, act) => {
    const key = keyOf();
    act(key);
    const found = await findings();
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((one) => one.includes(key))).toBe(true);
  },
);

describe("false statements of a manifest are found", () => {
  const edited = (of: Manifest, fields: Partial<DataFile>): Manifest => ({
    ...of,
    dataFiles: of.dataFiles.map((file, at) => (at === 0 ? { ...file, ...fields } : file)),
  });
  const restated = (of: Manifest, fields: object): Manifest => ({
    ...of,
    restatements: of.restatements.map((one) => ({ ...one, ...fields })),
  });
  test.each<[string, (of: Manifest) => Manifest, string]>([
    ["a data file's fills", (of) => edited(of, { fills: 1 }), "rows, but the archive expects 1"],
    ["a data file's hash", (of) => edited(of, { sha256: "0".repeat(64) }), "is missing"],
    ["a data file's first trade", (of) => edited(of, { firstTrade: RANGE.to }), "trade times"],
    ["a data file's last trade", (of) => edited(of, { lastTrade: RANGE.from }), "trade times"],
    [
      "its sum of fills",
      (of) => ({ ...of, fills: of.fills + 1 }),
      "the manifest says 91 fills, but its data files hold 90",
    ],
    ["a data file left out", (of) => ({ ...of, dataFiles: of.dataFiles.slice(1) }), "the manifest says 90 fills"],
    [
      "a data file twice",
      (of) => ({ ...of, dataFiles: [...of.dataFiles, ...of.dataFiles.slice(0, 1)] }),
      "the ranges of two data files overlap",
    ],
    ["a restatement's rows", (of) => restated(of, { rows: 7 }), "holds 1 restatement, but the manifest says 7"],
    ["a restatement's times", (of) => restated(of, { lastTrade: 0 }), "its trade times do not match"],
  ])("%s", async (_, change, says) => {
    expect(await findings(change(archive.manifest))).toContainEqual(expect.stringContaining(says));
  });

  test("a fill twice in a data file", async () => {
    const [first] = FILLS as [Fill];
    const moved = makeFill({ ...first, txCreated: first.txCreated + 1 });
    const fills = [...(await readDataFile(store, "main", fileAt(0))), moved].toSorted(byTxCreated);
    expect(await findings(withFile(0, fills))).toContainEqual(expect.stringContaining("holds a fill twice"));
  });

  test("a fill in two data files: both are named", async () => {
    const { matchId, orderId } = fillOn(3);
    const fills = (await readDataFile(store, "main", fileAt(1))).map((fill, at) =>
      at === 7 ? makeFill({ ...fill, matchId, orderId }) : fill,
    );
    const forged = withFile(1, fills);
    const [one, other] = [dataFileKey("main", fileAt(0)), dataFileKey("main", forged.dataFiles[1] ?? fileAt(1))];
    const says = `${one} and ${other} both hold the fill of matchId ${matchId} and orderId ${orderId}`;
    expect(await findings(forged)).toContainEqual(expect.stringContaining(says));
  });
});

test("a range limits the check to what touches the range", async () => {
  store.delete(dataFileKey("main", fileAt(0)));
  const { from, to } = fileAt(2);
  const own = (found: readonly string[]) => found.filter((one) => one.includes("/fills/"));
  expect(own(await findings(archive.manifest, { from, to }))).toEqual([]);
  expect(own(await findings()).length).toBeGreaterThan(0);
});

test("a stopped run reads no further object, and reports no finding", async () => {
  for (const last of [0, 1, 3]) {
    const watched = stoppingStore(store, ({ nth, method }) => method === "get" && nth === last);
    const run = verifyArchiveObjects(watched.store, archive, null, watched.signal);
    await expect(run).rejects.toBeInstanceOf(StoppedError);
    expect(watched.store.operations.length).toBe(last + 1);
  }
});

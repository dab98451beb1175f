import { beforeEach, describe, expect, test } from "vitest";
import { DataFileEncoder } from "../../lambda/archive/data-file-format.ts";
import { readDataFile } from "../../lambda/archive/data-files.ts";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import { manifestKey, sha256Of } from "../../lambda/archive/keys.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { readArchive, type Snapshot } from "../../lambda/archive/read.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import { StoppedError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { createEmulator } from "../emulator/core.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { type Published, readCurrent } from "../support/published.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 3, 1);
const ITEMS = makeHistory({ seed: 9, fills: 120, from: FROM, to: TO, ties: 0 });

let store: MemoryStore;
let archive: Snapshot;
let manifest: Published;

/** Three months in three data files, and one restatement, because a fill changed between two runs. */
beforeEach(async () => {
  store = memoryStore();
  const items = Array.from({ length: ITEMS.count }, (_, index) => ITEMS.item(index));
  const edge = items[60]?.txCreated ?? 0;
  const run = async (fees: string, from: number) => {
    const history = historyOf(items.map((item) => (item.txCreated === edge ? { ...item, fees } : item)));
    const { job } = makeBench({ emulator: createEmulator({ history }), job: { store } });
    expect(await syncArchive(job, { from, to: TO })).toMatchObject({ complete: true });
  };
  await run("1", edge);
  await run("2", FROM);
  archive = await readArchive(store, "main");
  manifest = await readCurrent(store, "main");
  expect(manifest.dataFiles).toHaveLength(3);
  expect(manifest.restatements).toHaveLength(1);
});

/** The archive, with this manifest. */
async function saying({ dataFiles, windows, restatements, nodes: _, ...header }: Published): Promise<Snapshot> {
  const none = ManifestIndex.empty({ store, account: "main" });
  const manifestIndex = await none.change({ added: { dataFiles, windows, restatements } });
  return { ...archive, manifest: { ...header, index: manifestIndex.root }, manifestIndex };
}

async function findings(of: Published = manifest, range: { from: number; to: number } | null = null) {
  return (await verifyArchiveObjects(store, await saying(of), range)).findings;
}

function dataFileAt(at: number, of: Published = manifest): DataFile {
  const dataFile = of.dataFiles[at];
  if (dataFile === undefined) {
    throw new RangeError(`no part ${at}`);
  }
  return dataFile;
}

function damage(key: string, change: (body: Uint8Array) => Uint8Array): void {
  store.put(key, change(store.snapshot().get(key) ?? new Uint8Array()));
}

function flipped(body: Uint8Array, at = Math.floor(body.length / 2)): Uint8Array {
  const copy = Uint8Array.from(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/**
 * The manifest, with one data file replaced by another that holds `fills`. Its hash, count and sum are right.
 */
function withDataFile(at: number, fills: readonly Fill[]): Published {
  const { bytes } = new DataFileEncoder().encode("main", fills);
  const old = dataFileAt(at);
  const key = `${old.key}.forged`;
  store.put(key, bytes);
  const setHash = formatSetHash(setHashOf(fills));
  const dataFile = { ...old, key, sha256: sha256Of(bytes), rows: fills.length, bytes: bytes.length, setHash };
  const dataFiles = manifest.dataFiles.map((one) => (one === old ? dataFile : one));
  return { ...manifest, dataFiles, fills: dataFiles.reduce((sum, { rows }) => sum + rows, 0) };
}

test("an undamaged archive has no findings, and every object of it was read", async () => {
  const { checked, findings: found } = await verifyArchiveObjects(store, archive, null);
  expect(found).toEqual([]);
  const objects = [...store.snapshot().keys()];
  const named = new Set([
    manifestKey("main", manifest.seq, archive.ref?.sha256 ?? ""),
    ...manifest.dataFiles.map(({ key }) => key),
    ...manifest.windows.flatMap((one) => one.rawResponses),
    ...manifest.restatements.map(({ key }) => key),
  ]);
  expect(objects.filter((key) => named.has(key))).toHaveLength(named.size);
  expect(checked).toBe(named.size + manifest.windows.length);
});

describe("damage to an object is found, and the object is named", () => {
  const kinds: readonly [string, () => string][] = [
    ["the manifest, which a run reads in the head", () => manifestKey("main", manifest.seq, archive.ref?.sha256 ?? "")],
    ["a data file", () => dataFileAt(1).key],
    ["raw responses", () => manifest.windows[0]?.rawResponses[0] ?? ""],
    ["a restatement", () => manifest.restatements[0]?.key ?? ""],
  ];
  const damages: readonly [string, (key: string) => void, string][] = [
    ["a flipped byte", (key) => damage(key, (body) => flipped(body)), "is damaged"],
    ["its first byte", (key) => damage(key, (body) => flipped(body, 0)), "is damaged"],
    ["cut short by a byte", (key) => damage(key, (body) => body.slice(0, -1)), "is damaged"],
    ["empty", (key) => damage(key, () => new Uint8Array()), "is damaged"],
    ["a byte more", (key) => damage(key, (body) => Uint8Array.of(...body, 0)), "is damaged"],
    ["missing", (key) => store.delete(key), "is missing"],
  ];
  test.each(kinds.flatMap(([what, key]) => damages.map(([how, act, says]) => [what, how, key, act, says] as const)))(
    "%s: %s",
    async (_, _how, keyOf, act, says) => {
      const key = keyOf();
      act(key);
      expect(await findings()).toContainEqual(
        expect.stringMatching(new RegExp(`^memory/${key.replaceAll(".", "\\.")}.* ${says}`)),
      );
    },
  );
});

describe("false statements of a manifest are found", () => {
  const changes: readonly [string, (of: Published) => Published, string | RegExp][] = [
    [
      "a data file's rows",
      (of) => edited(of, { rows: dataFileAt(0, of).rows + 1 }),
      /holds \d+ rows, but the manifest says/,
    ],
    ["a data file's set-hash", (of) => edited(of, { setHash: "0".repeat(64) }), "its set-hash is"],
    ["a data file's partition", (of) => edited(of, { from: FROM + 20 * DAY_MS }), "holds a fill outside its partition"],
    [
      "its sum of fills",
      (of) => ({ ...of, fills: of.fills + 1 }),
      /the manifest says 121 fills, but its data files hold 120/,
    ],
    [
      "a data file left out",
      (of) => ({ ...of, dataFiles: of.dataFiles.slice(1) }),
      /the data files hold \d+ fills, but \d+ were walked/,
    ],
    ["coverage without a window", (of) => ({ ...of, coverage: [{ from: 0, to: TO }] }), "the coverage does not match"],
    ["a window left out", (of) => ({ ...of, windows: of.windows.slice(1) }), "the coverage does not match"],
    [
      "a restatement's rows",
      (of) => ({ ...of, restatements: of.restatements.map((one) => ({ ...one, rows: 7 })) }),
      "holds 1 restatements, but the manifest says 7",
    ],
    [
      "a restatement's times",
      (of) => ({ ...of, restatements: of.restatements.map((one) => ({ ...one, lastTrade: one.lastTrade - 1 })) }),
      "jsonl.zst: its trade times do not match",
    ],
  ];

  function edited(of: Published, fields: Partial<DataFile>): Published {
    return { ...of, dataFiles: of.dataFiles.map((dataFile, at) => (at === 0 ? { ...dataFile, ...fields } : dataFile)) };
  }

  test.each(changes)("%s", async (_, change, says) => {
    expect(await findings(change(manifest))).toContainEqual(expect.stringMatching(says));
  });

  test("a fill twice in a data file", async () => {
    const fills = await readDataFile(store, dataFileAt(0));
    const [first] = fills;
    const forged = withDataFile(0, first === undefined ? [] : [first, ...fills]);
    expect(await findings(forged)).toEqual([`${dataFileAt(0, forged).key} holds a fill twice`]);
  });

  test("a fill in two data files with the same partition", async () => {
    const twin = { ...dataFileAt(0), key: `${dataFileAt(0).key}.twin` };
    store.put(twin.key, store.snapshot().get(dataFileAt(0).key) ?? new Uint8Array());
    const forged = { ...manifest, dataFiles: [twin, ...manifest.dataFiles], fills: manifest.fills + twin.rows };
    expect(await findings(forged)).toContainEqual(expect.stringMatching(`^${dataFileAt(0).key}(\\.twin)? overlaps `));
  });

  test("rows out of order", async () => {
    const fills = await readDataFile(store, dataFileAt(0));
    const forged = withDataFile(0, fills.toReversed());
    expect(await findings(forged)).toContain(`${dataFileAt(0, forged).key} is not sorted by tx_created`);
  });

  test("a fill that was walked and is missing from its data file", async () => {
    const fills = await readDataFile(store, dataFileAt(0));
    expect(await findings(withDataFile(0, fills.slice(1)))).toContainEqual(
      expect.stringMatching(/^window \[.*\): the data files hold \d+ fills, but \d+ were walked$/),
    );
  });

  test.each([
    ["the first", { firstTrade: FROM + 25 * DAY_MS }],
    ["the last", { lastTrade: FROM }],
  ])("the times by which a pack chooses its data files: %s", async (_, fields) => {
    expect(await findings(edited(manifest, fields))).toContainEqual(expect.stringContaining("trade times"));
  });
});

test("a range limits the check to what touches the range", async () => {
  store.delete(dataFileAt(0).key);
  const { from, to } = dataFileAt(2);
  const windows = manifest.windows.filter((one) => one.from >= dataFileAt(0).to); // a window that also touches the lost data file would report it
  expect(await findings({ ...manifest, windows, coverage: windows }, { from, to })).toEqual([]);
  expect((await findings()).length).toBeGreaterThan(0);
});

test("every damage is reported", async () => {
  store.delete(dataFileAt(0).key);
  damage(dataFileAt(2).key, (body) => flipped(body));
  const found = await findings();
  expect(found).toContainEqual(expect.stringContaining(dataFileAt(0).key));
  expect(found).toContainEqual(expect.stringContaining(dataFileAt(2).key));
});

test("a stopped run reads no further object, and reports no finding", async () => {
  const { checked } = await verifyArchiveObjects(store, archive, null);
  for (const last of [0, 1, Math.floor(checked / 2)]) {
    const stop = new AbortController();
    const { operations, ...watched } = faultyStore(store, ({ nth, method }) => {
      if (method === "get" && nth === last) {
        stop.abort();
      }
      return "ok";
    });
    const run = verifyArchiveObjects(watched, archive, null, stop.signal);
    await expect(run).rejects.toBeInstanceOf(StoppedError);
    // A window reads the data files that it touches.
    expect(operations.length).toBeLessThanOrEqual(last + manifest.dataFiles.length);
  }
});

test("an identity in two data files is found, and both are named", async () => {
  const [first] = await readDataFile(store, dataFileAt(0));
  const second = await readDataFile(store, dataFileAt(1));
  const { matchId, orderId } = first as Fill;
  const at = 7; // another fill's content under this one's identity
  const forged = withDataFile(
    1,
    second.map((fill, index) => (index === at ? { ...fill, matchId, orderId } : fill)),
  );
  expect(await findings(forged)).toContainEqual(
    `${dataFileAt(0).key} and ${dataFileAt(1, forged).key} both hold the fill of matchId ${matchId} and orderId ${orderId}; a sync removes one copy when it next rechecks that time; --look-back rechecks it at once`,
  );
});

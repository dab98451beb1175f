import { describe, expect, test } from "vitest";
import { fileFills, readDataFile } from "../../lambda/archive/data-files.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { MAX_DATA_FILE_ROWS } from "../../lambda/archive/partitioning.ts";
import { byTxCreated, contentOf, type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { after, type FilingPorts, fileAll, filingPorts, partsOf } from "../support/filing.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { prng } from "../support/prng.ts";

const MARCH = Date.UTC(2025, 2, 1);

/** What must hold of the parts of any archive. */
async function expectSound(ports: FilingPorts, dataFiles: readonly DataFile[], fills: readonly Fill[]): Promise<void> {
  const held: Fill[] = [];
  for (const [index, dataFile] of dataFiles.entries()) {
    expect(dataFile.from).toBeGreaterThanOrEqual(dataFiles[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
    const rows = await readDataFile(ports.store, dataFile);
    expect(rows).toHaveLength(dataFile.rows);
    expect(rows.every(({ txCreated }) => dataFile.from <= txCreated && txCreated < dataFile.to)).toBe(true);
    expect([rows.at(0)?.txCreated, rows.at(-1)?.txCreated]).toEqual([dataFile.first, dataFile.last]);
    const trades = rows.map(tradeTime).sort((a, b) => a - b);
    expect([trades[0], trades.at(-1)]).toEqual([dataFile.firstTrade, dataFile.lastTrade]);
    held.push(...rows);
  }
  expect(held.map(contentOf).join("\n")).toBe(fills.toSorted(byTxCreated).map(contentOf).join("\n"));
}

function cutAt<T>(items: readonly T[], places: readonly number[]): T[][] {
  const edges = [0, ...places.toSorted((a, b) => a - b), items.length];
  return edges.slice(1).map((to, index) => items.slice(edges[index], to));
}

describe("filing into parts", () => {
  test("a month with more rows than one part holds is cut in halves, down to the hours of a full day; and so in every order", async () => {
    const draw = prng(5);
    const at = (time: number, index: number) =>
      makeFill({ matchId: `m-${String(index).padStart(6, "0")}`, txCreated: time, filledAt: null });
    const full = Array.from({ length: MAX_DATA_FILE_ROWS + 10 }, (_, index) =>
      at(MARCH + 3 * DAY_MS + HOUR_MS * draw.int(2) + draw.int(1000), index),
    );
    const few = Array.from({ length: 50 }, (_, index) => at(MARCH + draw.int(2 * DAY_MS), 900_000 + index));
    const april = Array.from({ length: 20 }, (_, index) => at(MARCH + 32 * DAY_MS, 950_000 + index));
    const all = [...few, ...full, ...april];
    const ports = filingPorts();
    const dataFiles = await partsOf(await fileAll(ports, [all]));
    const cells = dataFiles.map(({ from, to }) => [(from - MARCH) / HOUR_MS, (to - MARCH) / HOUR_MS]);
    expect(cells).toEqual([
      [0, 3 * 24], // the first of the two halves of the first week, 1 to 7 March
      [3 * 24, 3 * 24 + 1],
      [3 * 24 + 1, 3 * 24 + 3],
      [31 * 24, 61 * 24],
    ]);
    await expectSound(ports, dataFiles, all);
    const shuffled = all.map((one) => ({ one, key: draw.next() })).sort((a, b) => a.key - b.key);
    const again = cutAt(
      shuffled.map(({ one }) => one),
      [MAX_DATA_FILE_ROWS - 5000, MAX_DATA_FILE_ROWS + 30],
    );
    expect(await partsOf(await fileAll(filingPorts(), again))).toEqual(dataFiles);
  });

  test("a late row touches one part: the others are not read, and keep their names", async () => {
    const store = memoryStore();
    const ports = filingPorts({ store });
    const months = [0, 31, 61].map((day) => makeFill({ matchId: `m-${day}`, txCreated: MARCH + day * DAY_MS }));
    const archive = await fileAll(ports, [months]);
    const before = await partsOf(archive);
    const watched = faultyStore(store, () => "ok");
    const late = makeFill({ matchId: "late", txCreated: MARCH + 32 * DAY_MS });
    const filed = await fileFills({ ...ports, store: watched }, archive, [late]);
    expect(filed.added).toEqual([late]);
    expect(filed.removed).toEqual([before[1]]);
    expect(filed.parts).toMatchObject([{ rows: 2 }]);
    expect(await partsOf(await after(archive, filed))).toEqual([before[0], filed.parts[0], before[2]]);
    const read = watched.operations.filter(({ method }) => method === "get").map(({ key }) => key);
    expect(read).toEqual([before[1]?.key]);
  });

  test("rows that are there already write nothing, and leave the parts as they are", async () => {
    const store = memoryStore();
    const ports = filingPorts({ store });
    const some = [makeFill(), makeFill({ matchId: "other" })];
    const before = await fileAll(ports, [some]);
    const watched = faultyStore(store, () => "ok");
    const filed = await fileFills({ ...ports, store: watched }, before, some);
    expect(filed).toEqual({ removed: [], parts: [], added: [], restated: [] });
    expect(watched.operations.every(({ method }) => method === "get")).toBe(true);
  });

  test("a part counts what cannot be typed", async () => {
    const manifestIndex = await fileAll(filingPorts(), [[makeFill(), makeFill({ matchId: "odd", price: "words" })]]);
    expect(await partsOf(manifestIndex)).toMatchObject([{ rows: 2, exceptions: 1 }]);
  });
});

describe("reading a part", () => {
  test.each<[string, (dataFile: DataFile) => Partial<DataFile>, string]>([
    ["another hash than the manifest's", () => ({ sha256: "0".repeat(64) }), "is damaged: its sha256 is"],
    ["another number of rows", ({ rows }) => ({ rows: rows + 1 }), "holds 1 rows, its manifest says 2"],
    ["no object of that name", ({ key }) => ({ key: `${key}.gone` }), "is missing"],
  ])("%s is told as such, by its key", async (_, change, says) => {
    const ports = filingPorts();
    const [dataFile] = await partsOf(await fileAll(ports, [[makeFill()]]));
    const changed = { ...dataFile, ...change(dataFile as DataFile) } as DataFile;
    await expect(readDataFile(ports.store, changed)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(says),
    });
    await expect(readDataFile(ports.store, changed)).rejects.toThrow(changed.key);
  });
});

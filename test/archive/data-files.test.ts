import { describe, expect, test } from "vitest";
import { readDataFile } from "../../lambda/archive/data-files.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { fileFills } from "../../lambda/archive/rewrite-data-files.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { after, dataFilesOf, fileAll, filingPorts } from "../support/filing.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";

const MARCH = Date.UTC(2025, 2, 1);

describe("filing into data files", () => {
  test("a late row touches one data file: the others are not read, and keep their names", async () => {
    const store = memoryStore();
    const ports = filingPorts({ store });
    const months = [0, 31, 61].map((day) => makeFill({ matchId: `m-${day}`, txCreated: MARCH + day * DAY_MS }));
    const archive = await fileAll(ports, [months]);
    const before = await dataFilesOf(archive);
    const watched = faultyStore(store, () => "ok");
    const late = makeFill({ matchId: "late", txCreated: MARCH + 32 * DAY_MS });
    const filed = await fileFills({ ...ports, store: watched }, archive, [late]);
    expect(filed.added).toEqual([late]);
    expect(filed.removed).toEqual([before[1]]);
    expect(filed.dataFiles).toMatchObject([{ rows: 2 }]);
    expect(await dataFilesOf(await after(archive, filed))).toEqual([before[0], filed.dataFiles[0], before[2]]);
    const read = watched.operations.filter(({ method }) => method === "get").map(({ key }) => key);
    expect(read).toEqual([before[1]?.key]);
  });

  test("rows that are held already write nothing, and leave the data files unchanged", async () => {
    const store = memoryStore();
    const ports = filingPorts({ store });
    const some = [makeFill(), makeFill({ matchId: "other" })];
    const before = await fileAll(ports, [some]);
    const watched = faultyStore(store, () => "ok");
    const filed = await fileFills({ ...ports, store: watched }, before, some);
    expect(filed).toEqual({ removed: [], dataFiles: [], added: [], restated: [] });
    expect(watched.operations.every(({ method }) => method === "get")).toBe(true);
  });

  test("a data file counts its exceptions, whether or not a fill can be calculated with", async () => {
    const odd = [makeFill({ matchId: "odd", price: "words" }), makeFill({ matchId: "name", market: "X Y-USD" })];
    const manifestIndex = await fileAll(filingPorts(), [[makeFill(), ...odd]]);
    expect(await dataFilesOf(manifestIndex)).toMatchObject([{ rows: 3, exceptions: 2 }]);
  });
});

describe("reading a data file", () => {
  test.each<[string, (dataFile: DataFile) => Partial<DataFile>, string]>([
    ["another hash than the manifest's", () => ({ sha256: "0".repeat(64) }), "is damaged: its sha256 is"],
    ["another number of rows", ({ rows }) => ({ rows: rows + 1 }), "holds 1 row, but the manifest says 2"],
    ["no object of that name", ({ key }) => ({ key: `${key}.gone` }), "is missing"],
  ])("%s: the message tells it and names the key", async (_, change, says) => {
    const ports = filingPorts();
    const [dataFile] = await dataFilesOf(await fileAll(ports, [[makeFill()]]));
    const changed = { ...dataFile, ...change(dataFile as DataFile) } as DataFile;
    await expect(readDataFile(ports.store, changed)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining(says),
    });
    await expect(readDataFile(ports.store, changed)).rejects.toThrow(changed.key);
  });
});

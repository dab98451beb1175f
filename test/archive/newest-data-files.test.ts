import fc from "fast-check";
import { expect, test } from "vitest";
import { fillsOfDataFile, readDataFile, sumsOfDataFile } from "../../lambda/archive/data-files.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { NewestDataFiles } from "../../lambda/archive/newest-data-files.ts";
import { MAX_DATA_FILE_ROWS, monthOf } from "../../lambda/archive/partitioning.ts";
import { parseSetHash } from "../../lambda/archive/set-hash.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { dataFilesOf, fileAll, filingPorts } from "../support/filing.ts";
import { memoryStore } from "../support/memory-store.ts";

function dataFileOf(name: string, rows = 0): DataFile {
  const partition = monthOf(0);
  return {
    ...{ key: name, sha256: name, bytes: 0, rows, from: partition.from, to: partition.to },
    ...{ first: 0, last: 0, firstTrade: 0, lastTrade: 0, exceptions: 0, setHash: "" },
  };
}

const fillOf2025 = fc
  .tuple(arbitraryFill, fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2025, 2) }))
  .map(([fill, txCreated]) => ({ ...fill, txCreated }));

test("kept data files equal those in the store, and the archive is the same as without the cache", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fillOf2025, { maxLength: 8 }), { maxLength: 4 }), async (batches) => {
      const store = memoryStore();
      const recent = new NewestDataFiles();
      const remembering = await dataFilesOf(await fileAll(filingPorts({ store, recent }), batches));
      const reading = await dataFilesOf(await fileAll(filingPorts({ store }), batches));
      expect(remembering).toEqual(reading);
      for (const dataFile of remembering) {
        expect(await fillsOfDataFile({ store, recent }, dataFile)).toEqual(await readDataFile(store, dataFile));
        const sums = {
          rows: dataFile.rows,
          first: dataFile.first,
          last: dataFile.last,
          set: parseSetHash(dataFile.setHash),
        };
        expect((await sumsOfDataFile({ store, recent }, dataFile)).within()).toEqual(sums);
        expect((await sumsOfDataFile({ store }, dataFile)).within()).toEqual(sums);
      }
    }),
    { numRuns: 50 },
  );
});

test("the data files used longest ago make room, and the rows held never exceed the limit", () => {
  const kept = { held: new Uint8Array(), sums: null };
  const recent = new NewestDataFiles();
  for (const name of ["a", "b", "b", "c"]) {
    recent.keep(dataFileOf(name, 3 * MAX_DATA_FILE_ROWS), kept);
  }
  expect(["a", "b", "c"].filter((name) => recent.get(dataFileOf(name)) !== undefined)).toEqual(["b", "c"]);
  recent.keep(dataFileOf("huge", 9 * MAX_DATA_FILE_ROWS), kept);
  expect(["b", "c", "huge"].some((name) => recent.get(dataFileOf(name)) !== undefined)).toBe(false);
});

import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { readArchive } from "../../../lambda/archive/read.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { YEAR } from "../bench/account-file.ts";
import { countingStore } from "../bench/counting-store.ts";

// The bytes that a first sync keeps, and those that it writes in all.

const FILLS = 50_000;

/** Records the rows of every data file that is written, even if it is replaced later. */
function watchedStore() {
  const memory = memoryStore();
  const rows: number[] = [];
  const createNew: typeof memory.createNew = async (key, body) => {
    if (key.endsWith(".parquet")) {
      rows.push(Number(parquetMetadata(Uint8Array.from(body).buffer).num_rows));
    }
    return await memory.createNew(key, body);
  };
  return { memory, rows, ...countingStore({ ...memory, createNew }) };
}

test(`a first sync of ${FILLS.toLocaleString("en")} fills writes each row little more than once, and bounded bytes per fill`, async () => {
  const { memory, rows, store, counts } = watchedStore();
  const { job } = makeBench({ history: makeHistory({ seed: 1, fills: FILLS, ...YEAR }), job: { store } });
  const result = await syncArchive(job, YEAR);
  expect(result).toMatchObject({ complete: true, fills: FILLS });
  const kept = (kind: string) =>
    [...memory.snapshot()]
      .filter(([key]) => key.startsWith(`main/${kind}/`))
      .reduce((sum, [, body]) => sum + body.byteLength, 0);
  const { manifestIndex } = await readArchive(memory, "main");
  const current = (await manifestIndex.dataFiles(YEAR)).reduce((sum, { bytes }) => sum + bytes, 0);
  // A row of the account is 425 bytes of JSON. Half of it are ids and hashes, which do not compress.
  expect(current / FILLS).toBeLessThanOrEqual(180);
  expect(kept("pages") / FILLS).toBeLessThanOrEqual(115);
  expect(rows.reduce((sum, one) => sum + one, 0) / FILLS).toBeLessThanOrEqual(1.6);
  // Recently written rows are mostly still in memory, so commits read and decode few of the data files that
  // they extend.
  expect(counts.read["fills"]?.reads ?? 0).toBeLessThanOrEqual(1);
  const { writes = 0, bytes = 0 } = counts.written["manifests"] ?? {};
  expect(writes).toBe(result.manifest?.seq);
  expect(bytes / writes).toBeLessThanOrEqual(25_000);
});

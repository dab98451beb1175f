import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeDataFile } from "../../../lambda/archive/data-file-format.ts";
import { DeltaBench, fillIn, LOG } from "../../support/delta-bench.ts";
import { DeltaRs, rowsOf } from "../../support/delta-rs.ts";
import { faultyStore, KilledError, type StoreFate, type StoreOperation, suited } from "../../support/faulty-store.ts";
import { readCurrent } from "../../support/published.ts";

// A run commits twice, publishes the table's log, writes a checkpoint, deletes old files and ends. One or two
// of its operations meet each fate. delta-rs then reads the table.

let deltaRs: DeltaRs;
beforeAll(async () => {
  deltaRs = await DeltaRs.start();
}, 300_000);
afterAll(() => deltaRs.stop());

const FATES: readonly StoreFate[] = [
  "kill-before",
  "kill-after",
  "kill-late",
  "fail-before",
  "lost-before",
  "lost-after",
  "late",
];
/** Fates whose effect may come after the next run. */
const LATE: readonly StoreFate[] = ["kill-late", "late"];
const CHANGES = [[fillIn(3, 2), fillIn(5, 1)], [fillIn(4, 1, "2")]];

/**
 * Two months. One data file was replaced more than a week ago: the next run deletes it, and writes a
 * checkpoint at its version.
 */
async function growBench(): Promise<DeltaBench> {
  const bench = new DeltaBench();
  await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)], [fillIn(3, 1, "2")]);
  for (let fee = 3; fee < 11; fee += 1) {
    await bench.run(bench.job(), [fillIn(3, 1, String(fee))]);
  }
  bench.later();
  return bench;
}

let grown: DeltaBench;
beforeAll(async () => {
  grown = await growBench();
});

/** One run whose operations meet `fateOf`, and then the late effects. Returns the run's operations. */
async function meet(
  bench: DeltaBench,
  fateOf: (operation: StoreOperation) => StoreFate,
  lands: "before the next run" | "after it",
): Promise<readonly StoreOperation[]> {
  const store = faultyStore(bench.store, (operation) => suited(fateOf(operation), operation.method));
  const end = await bench.run(bench.job(store), ...CHANGES).catch((error: unknown) => error);
  if (end instanceof Error && !store.killed && !(end instanceof KilledError)) {
    expect(store.operations.some(({ fate }) => fate !== "ok")).toBe(true);
  }
  if (lands === "after it") {
    await bench.run(bench.job());
    await expectCurrent(bench);
  }
  await store.settle();
  return store.operations;
}

async function expectCurrent(bench: DeltaBench): Promise<void> {
  expect(bench.faults).toEqual([]);
  expect(await bench.unreadable()).toEqual([]);
  expect((await bench.table())?.files).toEqual(bench.current());
}

/** delta-rs must read exactly the rows of the manifest's data files. */
async function expectRead(bench: DeltaBench): Promise<void> {
  const objects = bench.memory.snapshot();
  const { dataFiles } = await readCurrent(bench.memory, "main");
  const fills = dataFiles.flatMap(({ key }) => decodeDataFile(objects.get(key) ?? new Uint8Array()));
  expect((await deltaRs.readObjects(objects)).rows).toEqual(rowsOf(fills));
}

async function expectWhole(bench: DeltaBench): Promise<void> {
  expect(bench.faults).toEqual([]);
  expect(await bench.unreadable()).toEqual([]);
  expect(await bench.run(bench.job())).toBeNull();
  await expectCurrent(bench);
  await expectRead(bench);
  bench.later();
  expect(await bench.run(bench.job(), [fillIn(6, 1)])).toBeNull();
  await expectCurrent(bench);
}

async function operationsOf(): Promise<readonly StoreOperation[]> {
  const bench = await grown.copy();
  const operations = await meet(bench, () => "ok", "before the next run");
  await expectWhole(bench);
  expect(operations.filter(({ method }) => method === "remove").length).toBeGreaterThan(0);
  expect(operations.filter(({ key }) => key.endsWith("9.checkpoint.parquet")).length).toBeGreaterThan(0);
  return operations;
}

describe("each version of the log matches a committed manifest, and after the next run the current one", () => {
  test("for every fate of every operation of a run, whenever its write lands", async () => {
    const operations = await operationsOf();
    const cases = [
      ...FATES.map((fate) => ({ fate, lands: "before the next run" as const })),
      ...LATE.map((fate) => ({ fate, lands: "after it" as const })),
    ];
    for (const { fate, lands } of cases) {
      for (const { index, method, key } of operations) {
        const bench = await grown.copy();
        try {
          await meet(bench, (operation) => (operation.index === index ? fate : "ok"), lands);
          await expectWhole(bench);
        } catch (error) {
          throw new Error(`${fate} at operation ${index}, ${method} ${key}, landing ${lands}`, { cause: error });
        }
      }
    }
  });

  test("for every pair of fates of two operations on the log, in two runs", async () => {
    const operations = await operationsOf();
    const places = operations.filter(({ key }) => key.startsWith(LOG));
    for (const [row, first] of FATES.entries()) {
      for (const [column, second] of FATES.entries()) {
        // One in six of the first places, with another start for each pair of fates. Each is paired with its
        // own second place.
        for (let nth = (row + column) % 6; nth < places.length; nth += 6) {
          const index = places[nth]?.index;
          const other = places[(nth * 7 + column) % places.length]?.index;
          const bench = await grown.copy();
          try {
            await meet(bench, (operation) => (operation.index === index ? first : "ok"), "before the next run");
            await meet(bench, (operation) => (operation.index === other ? second : "ok"), "after it");
            await expectWhole(bench);
          } catch (error) {
            throw new Error(`${first} at operation ${index}, then ${second} at ${other}`, { cause: error });
          }
        }
      }
    }
  });
});

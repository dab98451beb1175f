import { describe, expect, test } from "vitest";
import { faultyStore, KilledError, type StoreFate, type StoreOperation, suited } from "../support/faulty-store.ts";
import { fillIn, ListBench } from "../support/list-bench.ts";

// A run that commits twice, publishes, deletes what is old and ends; whatever befalls one of its operations, or two.

const FATES: readonly StoreFate[] = [
  "kill-before",
  "kill-after",
  "kill-late",
  "fail-before",
  "lost-before",
  "lost-after",
  "late",
];
const CHANGES = [[fillIn(3, 2), fillIn(5, 1)], [fillIn(4, 1, "2")]];

/** Two months, of which a part was replaced more than a week ago: the next run deletes it. */
async function grownBench(): Promise<ListBench> {
  const bench = new ListBench();
  await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)], [fillIn(3, 1, "2")]);
  bench.later();
  return bench;
}

/** One run that meets `fateOf`, and what lands after it; gives what it asked for. */
async function meet(
  bench: ListBench,
  fateOf: (operation: StoreOperation) => StoreFate,
  lands: "before the next run" | "after it",
): Promise<readonly StoreOperation[]> {
  const store = faultyStore(bench.store, (operation) => {
    if (operation.method === "remove" || operation.method === "replaceIf") {
      expect(bench.unreadable()).toEqual([]);
    }
    return suited(fateOf(operation), operation.method);
  });
  const end = await bench.run(bench.job(store), ...CHANGES).catch((error: unknown) => error);
  if (end instanceof Error && !store.killed && !(end instanceof KilledError)) {
    expect(store.operations.some(({ fate }) => fate !== "ok")).toBe(true);
  }
  if (lands === "after it") {
    await bench.run(bench.job());
    expect(bench.lists()).toEqual(bench.currentLists());
  }
  await store.settle();
  return store.operations;
}

async function expectWhole(bench: ListBench): Promise<void> {
  expect(bench.faults).toEqual([]);
  expect(bench.unreadable()).toEqual([]);
  expect(await bench.run(bench.job())).toBeNull();
  expect(bench.lists()).toEqual(bench.currentLists());
  bench.later();
  expect(await bench.run(bench.job(), [fillIn(6, 1)])).toBeNull();
  expect(bench.lists()).toEqual(bench.currentLists());
  expect(bench.unreadable()).toEqual([]);
  expect(bench.faults).toEqual([]);
}

async function operationsOf(): Promise<readonly StoreOperation[]> {
  const bench = await grownBench();
  const operations = await meet(bench, () => "ok", "before the next run");
  await expectWhole(bench);
  expect(operations.filter(({ method }) => method === "remove").length).toBeGreaterThan(0);
  expect(operations.filter(({ key }) => key.endsWith("parts.txt")).length).toBeGreaterThanOrEqual(6);
  return operations;
}

describe("lists are of a committed manifest, and after the next run of the current one", () => {
  test("whatever befalls an operation of a run, and whenever its write lands", async () => {
    const operations = await operationsOf();
    for (const lands of ["before the next run", "after it"] as const) {
      for (const fate of FATES) {
        for (const { index, method, key } of operations) {
          const bench = await grownBench();
          try {
            await meet(bench, (operation) => (operation.index === index ? fate : "ok"), lands);
            await expectWhole(bench);
          } catch (error) {
            throw new Error(`${fate} at operation ${index}, ${method} ${key}, landing ${lands}`, { cause: error });
          }
        }
      }
    }
  });

  test("whatever befalls two operations on the lists, of two runs", async () => {
    const operations = await operationsOf();
    const places = operations.filter(({ key }) => key.startsWith("main/table/"));
    for (const [row, first] of FATES.entries()) {
      for (const [column, second] of FATES.entries()) {
        // One in three of the first places, beginning elsewhere for each pair of fates; each with a second place of its own.
        for (let nth = (row + column) % 3; nth < places.length; nth += 3) {
          const index = places[nth]?.index;
          const other = places[(nth * 7 + column) % places.length]?.index;
          const bench = await grownBench();
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

import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { CollectionBench, unnamed } from "../support/collection-bench.ts";
import { type FaultyStore, faultyStore, KilledError, type StoreFate, suited } from "../support/faulty-store.ts";

const FATES: readonly StoreFate[] = ["kill-before", "kill-after", "fail-before", "lost-before", "lost-after", "late"];
const WEEK_AND_A_DAY = 8 * DAY_MS;

let old: CollectionBench;
/** What a run asks of the store that has nothing to walk and collects. */
let operations: FaultyStore["operations"];
/** The first of them that belongs to the collection. */
let begins = 0;

beforeAll(async () => {
  old = await CollectionBench.make();
  await old.clock.sleep(WEEK_AND_A_DAY);
  const trial = await old.fork();
  const store = faultyStore(trial.store, () => "ok");
  const orphans = await unnamed(trial.store);
  expect(orphans.length).toBeGreaterThan(4);
  expect((await trial.sync({ store })).orphans.deleted).toBe(orphans.length);
  operations = store.operations;
  begins = operations.findIndex(({ method }) => method === "list");
});

/** One run that meets `fateOf`. Whether it lived on in its collection, where no fate is a reason for it to have failed. */
async function meet(trial: CollectionBench, fateOf: (index: number) => StoreFate): Promise<boolean> {
  const store = faultyStore(trial.store, ({ index, method }) => suited(fateOf(index), method));
  const end = await trial.sync({ store }).catch((error: unknown) => error);
  await store.settle();
  const isDead = end instanceof KilledError || store.killed;
  const failed = store.operations.findIndex(({ fate }) => fate !== "ok");
  const isReleased = store.operations.at(-1)?.fate === "ok";
  const livesOn = !isDead && failed >= begins && isReleased;
  if (livesOn) {
    expect(end).toMatchObject({ complete: true, problem: null });
  }
  expect(await trial.faults()).toEqual([]);
  return livesOn;
}

/** Whatever happened: the next runs leave an archive that is whole, and nothing else. */
async function expectConverges(trial: CollectionBench): Promise<void> {
  expect(await trial.sync()).toMatchObject({ complete: true, problem: null, orphans: { problem: null } });
  expect(await trial.faults()).toEqual([]);
  for (let week = 0; week < 2; week += 1) {
    await trial.clock.sleep(WEEK_AND_A_DAY);
    await trial.sync();
  }
  expect(await unnamed(trial.store)).toEqual([]);
  expect(await trial.faults()).toEqual([]);
}

describe("a collection that fails", () => {
  test("loses nothing and is finished by a later one: every operation, every fate", async () => {
    let livedOn = 0;
    for (const fate of FATES) {
      for (const { index, method, key } of operations) {
        const trial = await old.fork();
        try {
          livedOn += (await meet(trial, (at) => (at === index ? fate : "ok"))) ? 1 : 0;
          await expectConverges(trial);
        } catch (error) {
          throw new Error(`${fate} at operation ${index}, ${method} ${key}`, { cause: error });
        }
      }
    }
    const removals = operations.filter(({ method }) => method === "remove").length;
    expect(livedOn).toBeGreaterThanOrEqual(4 * removals); // all fates but the two that kill
  });

  test("and fails again in the run after it: every pair", async () => {
    const later = operations.slice(begins);
    for (const first of later) {
      for (const second of later) {
        const trial = await old.fork();
        await meet(trial, (at) => (at === first.index ? "kill-after" : "ok"));
        await meet(trial, (at) => (at === second.index ? "lost-after" : "ok"));
        await expectConverges(trial);
      }
    }
  });

  test("by every deletion at once deletes nothing, or all: the next runs find out", async () => {
    for (const fate of ["lost-before", "lost-after", "late"] as const) {
      const trial = await old.fork();
      const isRemoval = (index: number) => operations[index]?.method === "remove";
      await meet(trial, (index) => (isRemoval(index) ? fate : "ok"));
      await expectConverges(trial);
    }
  });
});

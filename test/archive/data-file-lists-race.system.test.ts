import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scheduledStore, sleepingStore, unlessFenced } from "../crash/around-store.ts";
import { fillIn, ListBench } from "../support/list-bench.ts";

// Two runs and three at once. Each changes another fee to another amount, so that no list is ever again what it was before.

async function youngBench(): Promise<ListBench> {
  const bench = new ListBench();
  await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)], [fillIn(3, 1, "1.5")]);
  return bench;
}

/** The next run deletes what was replaced. */
async function grownBench(): Promise<ListBench> {
  const bench = await youngBench();
  bench.later();
  return bench;
}

const CHANGES = [[fillIn(3, 1, "2"), fillIn(5, 1)], [fillIn(4, 1, "2")]];

async function expectWhole(bench: ListBench): Promise<void> {
  expect(bench.faults).toEqual([]);
  expect(bench.unreadable()).toEqual([]);
  expect(await bench.run(bench.job())).toBeNull();
  expect(bench.lists()).toEqual(bench.currentLists());
}

describe("a run that sleeps at any point, and wakes when another has gone by", () => {
  test.each([
    ["changes the same months", [[fillIn(3, 1, "3")], [fillIn(4, 1, "3")]]],
    ["changes another month", [[fillIn(6, 1)]]],
    ["changes nothing", []],
  ])("that %s: the lists are those of the current manifest when both have ended", async (_, changes) => {
    let sleeps = 0;
    for (let at = 0, isThere = true; isThere; at += 1) {
      const bench = await grownBench();
      const { store, slept } = sleepingStore(bench.store, at, () => bench.run(bench.job(), ...changes));
      const job = bench.job(store);
      try {
        await unlessFenced(bench.run(job, ...CHANGES));
        expect(bench.lists()).toEqual(bench.currentLists());
        await expectWhole(bench);
      } catch (error) {
        throw new Error(`asleep at turn ${at}`, { cause: error });
      }
      isThere = slept();
      sleeps += isThere ? 1 : 0;
    }
    expect(sleeps).toBeGreaterThan(60);
  });

  test("that commits and makes no lists: the next run makes them", async () => {
    for (let at = 0, isThere = true; isThere; at += 1) {
      const bench = await grownBench();
      const { store, slept } = sleepingStore(bench.store, at, () =>
        bench.run({ ...bench.job(), partLists: false }, [fillIn(3, 1, "3")], [fillIn(7, 1)]),
      );
      await unlessFenced(bench.run(bench.job(store), ...CHANGES));
      await expectWhole(bench);
      isThere = slept();
    }
  });
});

test("three runs at once, in any order: a reader finds a list of a committed manifest at every moment, with all its parts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat({ max: 90 }), { minLength: 2, maxLength: 2 }),
      async (scheduler, headStarts) => {
        const bench = await grownBench();
        let turns = 0;
        const unreadable = new Set<string>();
        const begins = headStarts.map((after) => ({ after, ...Promise.withResolvers<void>() }));
        const told = () => {
          turns += 1;
          for (const missing of bench.unreadable()) {
            unreadable.add(missing);
          }
          for (const { after, resolve } of begins) {
            if (turns >= after) {
              resolve();
            }
          }
        };
        const run = async (begin: Promise<void>, ...commits: Parameters<ListBench["run"]>[1][]) => {
          await begin;
          await unlessFenced(bench.run(bench.job(scheduledStore(bench.store, scheduler, told)), ...commits));
        };
        const first = run(Promise.resolve(), ...CHANGES).finally(() => {
          for (const { resolve } of begins) {
            resolve();
          }
        });
        const others = begins.map(({ promise }, index) =>
          run(promise, [fillIn(3, 1, `${index + 3}`)], [fillIn(4, 1, `${index + 3}`), fillIn(8, 1)]),
        );
        await scheduler.waitFor(Promise.all([first, ...others]));
        expect([...unreadable]).toEqual([]);
        await expectWhole(bench);
      },
    ),
    { numRuns: 150 },
  );
});

test("a list that is again what it was while a run slept: what that run writes stays until the next run that may delete", async () => {
  let stale = 0;
  for (let at = 0, isThere = true; isThere; at += 1) {
    const bench = await youngBench();
    const { store, slept } = sleepingStore(bench.store, at, async () => {
      await bench.run(bench.job(), [fillIn(3, 1, "2")]);
      await bench.run(bench.job(), [fillIn(3, 1, "1.5")]);
    });
    await unlessFenced(bench.run(bench.job(store), [fillIn(3, 1, "9")]));
    expect(bench.faults).toEqual([]); // of an older manifest, never of none
    expect(bench.unreadable()).toEqual([]);
    stale += JSON.stringify(bench.lists()) === JSON.stringify(bench.currentLists()) ? 0 : 1;
    bench.later();
    await bench.run(bench.job());
    expect(bench.lists()).toEqual(bench.currentLists());
    expect(bench.unreadable()).toEqual([]);
    isThere = slept();
  }
  expect(stale).toBeGreaterThan(0);
});

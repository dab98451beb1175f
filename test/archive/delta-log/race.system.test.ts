import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scheduledStore, sleepingStore, unlessFenced } from "../../crash/around-store.ts";
import { DeltaBench, fillIn } from "../../support/delta-bench.ts";

// Two runs, and three at once. One of them deletes files.

async function grownBench(): Promise<DeltaBench> {
  const bench = new DeltaBench();
  await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)], [fillIn(3, 1, "1.5")]);
  bench.later();
  return bench;
}

const CHANGES = [[fillIn(3, 1, "2"), fillIn(5, 1)], [fillIn(4, 1, "2")]];

async function expectCurrent(bench: DeltaBench): Promise<void> {
  expect(bench.faults).toEqual([]);
  expect(await bench.unreadable()).toEqual([]);
  expect((await bench.table())?.files).toEqual(bench.current());
}

describe("a run sleeps at any point, and wakes after another run", () => {
  test.each([
    ["changes the same months", [[fillIn(3, 1, "3")], [fillIn(4, 1, "3")]]],
    ["changes another month", [[fillIn(6, 1)]]],
    ["changes nothing", []],
    ["reverts the first run's changes", [[fillIn(3, 1, "1.5"), fillIn(4, 1)]]],
  ])("that %s: when both have ended, the log matches the current manifest", async (_, changes) => {
    let sleeps = 0;
    for (let at = 0, isThere = true; isThere; at += 1) {
      const bench = await grownBench();
      const { store, slept } = sleepingStore(bench.store, at, () => bench.run(bench.job(), ...changes));
      try {
        await unlessFenced(bench.run(bench.job(store), ...CHANGES));
        await expectCurrent(bench);
        expect(await bench.run(bench.job())).toBeNull();
        await expectCurrent(bench);
      } catch (error) {
        throw new Error(`asleep at turn ${at}`, { cause: error });
      }
      isThere = slept();
      sleeps += isThere ? 1 : 0;
    }
    expect(sleeps).toBeGreaterThan(60);
  });

  test("that commits without a log: the next run writes it", async () => {
    for (let at = 0, isThere = true; isThere; at += 1) {
      const bench = await grownBench();
      const { store, slept } = sleepingStore(bench.store, at, () =>
        bench.run(bench.job(bench.store, { deltaLog: false }), [fillIn(3, 1, "3")], [fillIn(7, 1)]),
      );
      await unlessFenced(bench.run(bench.job(store), ...CHANGES));
      expect(await bench.run(bench.job())).toBeNull();
      await expectCurrent(bench);
      isThere = slept();
    }
  });
});

test("three runs at once, in any order: a reader finds a committed manifest at every moment, with all its data files", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat({ max: 90 }), { minLength: 2, maxLength: 2 }),
      async (scheduler, headStarts) => {
        const bench = await grownBench();
        let turns = 0;
        const unreadable: Promise<readonly string[]>[] = [];
        const begins = headStarts.map((after) => ({ after, ...Promise.withResolvers<void>() }));
        const told = (what: string) => {
          turns += 1;
          if (what.startsWith("remove") || what.startsWith("createNew")) {
            unreadable.push(bench.unreadable());
          }
          for (const { after, resolve } of begins) {
            if (turns >= after) {
              resolve();
            }
          }
        };
        const run = async (begin: Promise<void>, ...commits: Parameters<DeltaBench["run"]>[1][]) => {
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
        expect((await Promise.all(unreadable)).flat()).toEqual([]);
        expect(bench.faults).toEqual([]);
        expect(await bench.run(bench.job())).toBeNull();
        await expectCurrent(bench);
      },
    ),
    { numRuns: 150 },
  );
});

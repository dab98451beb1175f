import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManifestIndex } from "../../../lambda/archive/index/manifest-index.ts";
import type { Entries } from "../../../lambda/archive/index/node.ts";
import { MAX_ENTRIES } from "../../../lambda/archive/index/shape.ts";
import type { WindowRecord } from "../../../lambda/archive/manifest-entries.ts";
import { overlaps } from "../../../lambda/core/ranges.ts";
import type { TimeRange } from "../../../lambda/core/time.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { dataFileAt, inOrder, type Lists, recount, someEntries, timesOf, treeIn, treeOf, windowAt } from "./model.ts";

const NOTHING: Lists = { dataFiles: [], windows: [], restatements: [] };

function portsOf(store = memoryStore()) {
  return { account: "main", store, clock: fakeClock() };
}

type Step =
  | { readonly kind: "add"; readonly entries: Entries }
  | { readonly kind: "remove"; readonly share: number; readonly at: number }
  | { readonly kind: "keep-windows"; readonly ended: WindowRecord["ended"] }
  | { readonly kind: "seal" }
  | { readonly kind: "reload" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), entries: someEntries }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("remove" as const),
      share: fc.constantFrom(1, 2, 3, 20),
      at: fc.nat(19),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("keep-windows" as const),
      ended: fc.constantFrom("no-last" as const, "order" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("seal" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reload" as const) }) },
);

/** A sealed index after these steps, and the entries of plain lists after the same steps. */
async function runThrough(
  steps: readonly Step[],
  store: MemoryStore,
): Promise<{ manifestIndex: ManifestIndex; model: Lists }> {
  const ports = portsOf(store);
  let manifestIndex = ManifestIndex.empty(ports);
  let model = NOTHING;
  let epoch = 1;
  for (const one of steps) {
    switch (one.kind) {
      case "add":
        manifestIndex = await manifestIndex.change({ added: one.entries });
        model = merged(model, one.entries);
        break;
      case "remove": {
        const isRemoved = (_: unknown, index: number): boolean => index % one.share === one.at % one.share;
        const removed = mapLists(model, (list) => list.filter(isRemoved));
        manifestIndex = await manifestIndex.change({ removed });
        model = mapLists(model, (list) => list.filter((entry, index) => !isRemoved(entry, index)));
        break;
      }
      case "keep-windows":
        manifestIndex = await manifestIndex.change({
          removed: { windows: model.windows.filter(({ ended }) => ended !== one.ended) },
        });
        model = { ...model, windows: model.windows.filter(({ ended }) => ended === one.ended) };
        break;
      case "seal":
        manifestIndex = await manifestIndex.seal({ clock: fakeClock(), epoch });
        break;
      case "reload":
        epoch += 1;
        manifestIndex = ManifestIndex.of(
          ports,
          JSON.parse(JSON.stringify((await manifestIndex.seal({ clock: fakeClock(), epoch })).root)),
        );
        break;
    }
  }
  return { manifestIndex: await manifestIndex.seal({ clock: fakeClock(), epoch: epoch + 1 }), model };
}

function mapLists(lists: Lists, change: <T>(list: readonly T[]) => readonly T[]): Lists {
  return {
    dataFiles: change(lists.dataFiles),
    windows: change(lists.windows),
    restatements: change(lists.restatements),
  };
}

/** An entry of `b` replaces the one with the same identity in `a`. */
function merged(a: Lists, b: Lists): Lists {
  const byIdentity = <T>(lists: readonly (readonly T[])[], identityOf: (entry: T) => string): T[] => [
    ...new Map(lists.flat().map((entry) => [identityOf(entry), entry])).values(),
  ];
  return {
    dataFiles: byIdentity([a.dataFiles, b.dataFiles], ({ key }) => key),
    windows: byIdentity([a.windows, b.windows], (window) => JSON.stringify(window)),
    restatements: byIdentity([a.restatements, b.restatements], ({ key }) => key),
  };
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) {
    out.push(item);
  }
  return out;
}

const range: fc.Arbitrary<TimeRange> = fc
  .tuple(
    fc.integer({ min: Date.UTC(2023, 11, 30), max: Date.UTC(2025, 2, 1) }),
    fc.constantFrom(1, 60_000, 86_400_000, 86_400_000 * 31, 86_400_000 * 1000),
  )
  .map(([from, width]) => ({ from, to: from + width }));

describe("an index after any steps", () => {
  test("has a tree that depends only on its entries; the root holds the nodes down to the newest leaf", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const store = memoryStore();
        const { manifestIndex, model } = await runThrough(steps, store);
        expect(treeIn(store, manifestIndex.root)).toEqual(treeOf(model));
        expect(manifestIndex.sum).toEqual(recount(model));
      }),
      { numRuns: 60 },
    );
  });

  test("has the same bytes for the same entries of one run, in whatever steps they came", async () => {
    await fc.assert(
      fc.asyncProperty(someEntries, someEntries, async (some, others) => {
        const [one, two] = [portsOf(), portsOf()];
        const both = await (
          await (await ManifestIndex.empty(one).change({ added: some })).change({ added: others })
        ).seal({
          clock: fakeClock(),
          epoch: 3,
        });
        const whole = await (await ManifestIndex.empty(two).change({ added: merged(some, others) })).seal({
          clock: fakeClock(),
          epoch: 3,
        });
        expect(JSON.stringify(both.root)).toBe(JSON.stringify(whole.root));
        expect(one.store.snapshot()).toEqual(two.store.snapshot());
      }),
      { numRuns: 40 },
    );
  });

  test("finds the same entries as plain lists", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        fc.array(range, { minLength: 1, maxLength: 6 }),
        async (steps, asked) => {
          const { manifestIndex, model: unsorted } = await runThrough(steps, memoryStore());
          const model = inOrder(unsorted);
          for (const one of asked) {
            expect(await manifestIndex.dataFiles(one)).toEqual(
              model.dataFiles.filter((dataFile) => overlaps(dataFile, one)),
            );
            expect(await manifestIndex.windows(one)).toEqual(model.windows.filter((window) => overlaps(window, one)));
            expect(await manifestIndex.restatements(one)).toEqual(
              model.restatements.filter(({ firstTrade, lastTrade }) => firstTrade < one.to && lastTrade >= one.from),
            );
            const distanceOf = ({ from, to }: TimeRange): number => Math.max(from - one.from, one.from - to, 0);
            const nearest = model.windows.toSorted((a, b) => distanceOf(a) - distanceOf(b) || a.from - b.from);
            expect(await manifestIndex.nearestWindows(one.from, 8)).toEqual(nearest.slice(0, 8));
          }
          const leaves = await collected(manifestIndex.leaves());
          expect(leaves.flatMap(({ dataFiles }) => dataFiles)).toEqual(model.dataFiles);
          expect(leaves.flatMap(({ windows }) => windows)).toEqual(model.windows);
          expect(leaves.flatMap(({ restatements }) => restatements)).toEqual(model.restatements);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("sums a range from the units wholly inside, and opens only those at its ends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), range, async (steps, asked) => {
        const { manifestIndex, model } = await runThrough(steps, memoryStore());
        const visited = await collected(
          manifestIndex.visit((sum, unit) => {
            if (sum.dataFiles === 0 || unit.to <= asked.from || unit.from >= asked.to) {
              return "skip";
            }
            return asked.from <= unit.from && unit.to <= asked.to ? "whole" : "open";
          }),
        );
        const fills = visited.map((one) => ("sum" in one ? one.sum.fills : rowsIn(one.entries.dataFiles, asked)));
        expect(fills.reduce((sum, count) => sum + count, 0)).toBe(rowsIn(model.dataFiles, asked));
      }),
      { numRuns: 40 },
    );
  });

  test("names every object, including its nodes, and reads no node that was seen before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const store = memoryStore();
        const { manifestIndex, model } = await runThrough(steps, store);
        const { root } = manifestIndex;
        const counting = faultyStore(store, () => "ok");
        const seen = new Set<string>();
        const named = await collected(ManifestIndex.of({ ...portsOf(), store: counting }, root).keys(seen));
        const stored = [...store.snapshot().keys()].filter((key) => named.includes(key));
        expect(new Set(named)).toEqual(
          new Set([
            ...stored,
            ...model.dataFiles.map(({ key }) => key),
            ...model.windows.flatMap(({ rawResponses }) => rawResponses),
            ...model.restatements.map(({ key }) => key),
          ]),
        );
        expect(counting.operations.map(({ key }) => key).sort()).toEqual(stored);
        const again = await collected(ManifestIndex.of({ ...portsOf(), store: counting }, root).keys(seen));
        expect(again.filter((key) => stored.includes(key))).toEqual([]);
        expect(counting.operations).toHaveLength(stored.length);
      }),
      { numRuns: 30 },
    );
  });
});

test("an index knows the months whose data files changed since it was read, even after it is sealed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), someEntries, async (steps, more) => {
      const store = memoryStore();
      const { manifestIndex: before, model } = await runThrough(steps, store);
      const read = ManifestIndex.of(portsOf(store), before.root);
      const gone = model.dataFiles.filter((_, at) => at % 3 === 0);
      const changed = await read.change({ removed: { dataFiles: gone }, added: more });
      const sealed = await changed.seal({ clock: fakeClock(), epoch: 99 });
      const expected = new Set(
        [...gone, ...more.dataFiles].map(({ from }) => new Date(from).toISOString().slice(0, 7)),
      );
      expect(sealed.changedMonths).toEqual(expected);
      expect(read.changedMonths.size).toBe(0);
    }),
    { numRuns: 40 },
  );
});

function rowsIn(dataFiles: Lists["dataFiles"], { from, to }: TimeRange): number {
  return dataFiles
    .filter((dataFile) => from <= dataFile.from && dataFile.from < to)
    .reduce((sum, { rows }) => sum + rows, 0);
}

/** The times as text, as the names of nodes begin. */
function textsOf(times: readonly number[]): string[] {
  return times.map((time) => new Date(time).toISOString().replace(":", ""));
}

/** The name of a node, with its unit. */
const NODE = /^main\/index\/(.*)-\d+-[0-9a-f]{64}\.json$/;

describe("a change", () => {
  test("writes only the units that it touches, makes, or that are the newest before or after it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), someEntries, async (steps, more) => {
        const store = memoryStore();
        const { manifestIndex, model } = await runThrough(steps, store);
        const few = mapLists(more, (list) => list.slice(0, 2));
        const before = store.snapshot();
        const sealed = await (await manifestIndex.change({ added: few })).seal({ clock: fakeClock(), epoch: 99 });
        const newest = [model, merged(model, few)].flatMap((lists) => newestOf(lists));
        const touched = textsOf([...timesOf(few), ...newest]);
        const held = textsOf(timesOf(model));
        const isTouched = (unit: string) => touched.some((time) => time.startsWith(unit));
        const wasOneNode = (unit: string) => held.filter((time) => time.startsWith(unit)).length <= MAX_ENTRIES;
        for (const key of [...store.snapshot().keys()].filter((one) => !before.has(one))) {
          const unit = NODE.exec(key)?.[1] ?? "no name of a node";
          // A touched node may have become too full. The nodes below it are then new.
          const above = unit.replace(/(^\d{4}|-\d\d|T\d\d|(?<=T\d\d)\d\d)$/, "");
          const isMade = isTouched(above) && wasOneNode(above);
          expect([key, isTouched(unit) || isMade]).toEqual([key, true]);
        }
        const written = store.snapshot();
        await sealed.seal({ clock: fakeClock(), epoch: 100 });
        expect(store.snapshot()).toEqual(written);
      }),
      { numRuns: 60 },
    );
  });

  test("that removes a missing entry is a fault, and changes nothing", async () => {
    const manifestIndex = await ManifestIndex.empty(portsOf()).change({ added: { windows: [windowAt(5, 10)] } });
    await expect(manifestIndex.change({ removed: { windows: [windowAt(5, 11)] } })).rejects.toMatchObject({
      kind: "fault",
    });
    expect(await manifestIndex.windows({ from: 0, to: 20 })).toEqual([windowAt(5, 10)]);
  });

  test("distinguishes two walks of a window with the same pages, and removes the right one", async () => {
    const [one, two] = [windowAt(5, 10, 0), { ...windowAt(5, 10, 0), rawResponses: [] }];
    const manifestIndex = await ManifestIndex.empty(portsOf()).change({ added: { windows: [one, two] } });
    expect(await manifestIndex.windows({ from: 0, to: 20 })).toHaveLength(2);
    const changed = await manifestIndex.change({ removed: { windows: [two] } });
    expect(await changed.windows({ from: 0, to: 20 })).toEqual([one]);
  });

  test("with a time beyond the calendar is refused", async () => {
    const windows = Array.from({ length: 65 }, (_, index) => windowAt(8.64e15 + index, 8.7e15));
    await expect(ManifestIndex.empty(portsOf()).change({ added: { windows } })).rejects.toThrow(RangeError);
  });

  test("that removes and adds an entry of one identity keeps the new entry", async () => {
    const old = dataFileAt(5, 10);
    const manifestIndex = await ManifestIndex.empty(portsOf()).change({ added: { dataFiles: [old] } });
    const current = { ...old, rows: 17 };
    for (const removed of [{}, { dataFiles: [old] }]) {
      const changed = await manifestIndex.change({ removed, added: { dataFiles: [current] } });
      expect(await changed.dataFiles({ from: 0, to: 20 })).toEqual([current]);
      expect(await manifestIndex.dataFiles({ from: 0, to: 20 })).toEqual([old]);
    }
  });
});

/** The time that decides which leaf is the newest; empty for an empty archive. */
function newestOf(lists: Lists): number[] {
  return timesOf(lists)
    .sort((a, b) => a - b)
    .slice(-1);
}

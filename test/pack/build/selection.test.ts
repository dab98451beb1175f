import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManifestIndex } from "../../../lambda/archive/index/manifest-index.ts";
import { setHashOf } from "../../../lambda/archive/set-hash.ts";
import { type Fill, identityOf } from "../../../lambda/core/fill.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { DATE_BY, DATE_BY_NAMES } from "../../../lambda/pack/build/date-by.ts";
import { cutOffFillsOf, dataFilesIn, fillsOf, setHashIn } from "../../../lambda/pack/build/selection.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { manifestIndexOf, prepareArchive } from "../archive.ts";

const ALL = { from: 0, to: 10_000 };
const PERIOD = { from: 2000, to: 7000 };

/** Few times, so that many lie at the ends of a range. */
const hundreds = (count: number) => count * 100;

/** Fills whose two times may be far apart, with many ties. */
const someFills = fc.uniqueArray(
  fc
    .record({
      id: fc.nat(999),
      order: fc.nat(1),
      txCreated: fc.nat(99).map(hundreds),
      skew: fc.option(fc.integer({ min: -30, max: 30 }).map(hundreds)),
    })
    .map(({ id, order, txCreated, skew }) =>
      makeFill({
        matchId: `m${id}`,
        orderId: `o${order}`,
        txCreated,
        filledAt: skew === null ? null : txCreated + skew,
      }),
    ),
  { selector: identityOf, maxLength: 120 },
);

async function collect(batches: AsyncIterable<readonly Fill[]>): Promise<(readonly Fill[])[]> {
  const out: (readonly Fill[])[] = [];
  for await (const batch of batches) {
    out.push(batch);
  }
  return out;
}

const range = fc
  .tuple(fc.integer({ min: -40, max: 140 }).map(hundreds), fc.nat(90).map(hundreds))
  .map(([from, width]) => ({ from, to: from + width }));

describe("the fills of a period", () => {
  test("are selected by each kind of time, in order, for any cut of the data files; cut-off fills are in it only by the other time", async () => {
    await fc.assert(
      fc.asyncProperty(
        someFills,
        fc.constantFrom(10, 100, 1000, 10_000),
        fc.oneof(range, fc.constant({ from: Number.NEGATIVE_INFINITY, to: 5000 })),
        fc.constantFrom(...DATE_BY_NAMES),
        async (fills, cellMs, asked, name) => {
          const { entries, readDataFile } = prepareArchive(fills, cellMs, ALL);
          const { timeOf, otherTimeOf } = DATE_BY[name];
          const isIn = (time: number): boolean => asked.from <= time && time < asked.to;
          const expected = fills.filter((fill) => isIn(timeOf(fill)));
          const manifestIndex = await manifestIndexOf(entries);
          const dataFiles = await dataFilesIn(manifestIndex, asked, DATE_BY[name]);
          const batches = await collect(fillsOf(dataFiles, asked, DATE_BY[name], readDataFile));
          expect(batches.flat()).toEqual(expected.toSorted(DATE_BY[name].compare));
          expect(batches.every((batch) => batch.length > 0)).toBe(true);
          const times = batches.flatMap((batch) => [...new Set(batch.map(timeOf))]);
          expect(times, "no time is in two batches").toEqual([...new Set(times)]);
          expect(await setHashIn(manifestIndex, asked, DATE_BY[name], readDataFile)).toBe(setHashOf(expected));
          if (Number.isFinite(asked.from)) {
            const cutOff = (await collect(cutOffFillsOf(manifestIndex, asked, DATE_BY[name], readDataFile))).flat();
            const other = fills.filter((fill) => !isIn(timeOf(fill)) && isIn(otherTimeOf(fill)));
            expect(new Set(cutOff)).toEqual(new Set(other));
            expect(cutOff).toHaveLength(other.length);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("are given before later data files are read, so memory does not grow with the period", async () => {
    const fills = Array.from({ length: 100 }, (_, at) =>
      makeFill({ matchId: `m${at}`, txCreated: 2000 + at * 10, filledAt: null }),
    );
    const { entries, readDataFile, reads } = prepareArchive(fills, 100, ALL);
    const manifestIndex = await manifestIndexOf(entries);
    const dataFiles = await dataFilesIn(manifestIndex, PERIOD, DATE_BY.fill);
    expect(await setHashIn(manifestIndex, PERIOD, DATE_BY.fill, readDataFile)).toBe(setHashOf(fills));
    expect(reads).toEqual([]); // all data files lie inside the period
    let given = 0;
    for await (const batch of fillsOf(dataFiles, PERIOD, DATE_BY.fill, readDataFile)) {
      given += batch.length;
      expect(reads.length).toBe(given / 10);
    }
    expect(given).toBe(100);
  });

  test("are refused if one of them occurs twice", async () => {
    const twice = [makeFill({ txCreated: 3000, filledAt: 3500 }), makeFill({ txCreated: 4000, filledAt: 3400 })];
    const { entries, readDataFile } = prepareArchive(twice, 1000, ALL);
    await expect(collect(fillsOf(entries.dataFiles, PERIOD, DATE_BY.fill, readDataFile))).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringContaining("twice"),
    });
  });

  test("are refused if a data file holds times that differ from the manifest", async () => {
    const { entries, readDataFile } = prepareArchive([makeFill({ txCreated: 3000, filledAt: 3500 })], 1000, ALL);
    const wrong = entries.dataFiles.map((dataFile) => ({ ...dataFile, firstTrade: 3501, lastTrade: 3501 }));
    await expect(collect(fillsOf(wrong, PERIOD, DATE_BY.fill, readDataFile))).rejects.toMatchObject({
      kind: "untrusted",
    });
  });
});

test.each(DATE_BY_NAMES)(
  "by %s, only the units at the ends of the range are read, of a history of ten years",
  async (name) => {
    const store = memoryStore();
    const ports = { account: "main", store, clock: fakeClock() };
    const begin = Date.UTC(2015, 0, 1);
    const days = Array.from({ length: 3650 }, (_, day) => begin + day * DAY_MS);
    const fills = days.map((time, at) =>
      makeFill({ matchId: `m${at}`, txCreated: time + 5000, filledAt: time + 4000 }),
    );
    const { entries, readDataFile, reads } = prepareArchive(fills, DAY_MS, ALL);
    const { root } = await (await ManifestIndex.empty(ports).change({ added: { dataFiles: entries.dataFiles } })).seal({
      clock: fakeClock(),
      epoch: 1,
    });
    const counting = faultyStore(store, () => "ok");
    const manifestIndex = ManifestIndex.of({ ...ports, store: counting }, root);
    const until = Date.UTC(2020, 6, 1);
    const history = { from: Number.NEGATIVE_INFINITY, to: until };
    const expected = setHashOf(fills.filter(({ txCreated }) => txCreated < until));
    expect(await setHashIn(manifestIndex, history, DATE_BY[name], readDataFile)).toBe(expected);
    expect(counting.operations.map(({ key }) => key.slice(0, "main/index/2020".length))).toEqual(["main/index/2020"]);
    expect(reads).toEqual([]);
  },
);

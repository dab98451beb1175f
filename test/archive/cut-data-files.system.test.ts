import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { readDataFile } from "../../lambda/archive/data-files.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { halvesOf, monthOf } from "../../lambda/archive/partitioning.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { summarise, summariseBySums } from "../../lambda/archive/summary.ts";
import { byTxCreated, contentOf, type Fill, identityOf } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { dataFilesOf, type FilingPorts, fileAll, filingPorts } from "../support/filing.ts";
import { makeFill } from "../support/make-fill.ts";

/** Data files of few rows, so that a few fills are cut as a hundred thousand would be. */
const LIMIT = 4;
const limit = vi.hoisted(() => ({ rows: 4 }));

vi.mock("../../lambda/archive/partitioning.ts", async (original) => {
  const real = await original<typeof import("../../lambda/archive/partitioning.ts")>();
  return Object.defineProperty({ ...real }, "MAX_DATA_FILE_ROWS", { get: () => limit.rows });
});

afterEach(() => {
  limit.rows = LIMIT;
});

const MARCH = Date.UTC(2025, 2, 1);

/** Fills in two months, crowded around a few times, some in the same millisecond. */
const fills = fc
  .array(fc.integer({ min: MARCH, max: MARCH + 50 * DAY_MS }), { minLength: 1, maxLength: 3 })
  .chain((centres) =>
    fc.uniqueArray(
      fc
        .record({
          matchId: fc.uuid(),
          centre: fc.constantFrom(...centres),
          bits: fc.integer({ min: 0, max: 31 }),
          noise: fc.nat(),
        })
        .map(({ matchId, centre, bits, noise }) =>
          makeFill({ matchId, txCreated: centre + (noise % 2 ** bits), filledAt: null }),
        ),
      { selector: identityOf, minLength: 1, maxLength: 40 },
    ),
  );

/**
 * Every fill is held once, in its partition, and every partition is one of the calendar's. `isCut`: no data
 * file has more rows than allowed.
 */
async function expectSound(ports: FilingPorts, dataFiles: readonly DataFile[], some: readonly Fill[], isCut = true) {
  const held: Fill[] = [];
  for (const [index, dataFile] of dataFiles.entries()) {
    const rows = await readDataFile(ports.store, dataFile);
    held.push(...rows);
    expect(dataFile.from).toBeGreaterThanOrEqual(dataFiles[index - 1]?.to ?? MARCH);
    expect(rows.every(({ txCreated }) => dataFile.from <= txCreated && txCreated < dataFile.to)).toBe(true);
    expect(isPartition(dataFile)).toBe(true);
    expect(!isCut || dataFile.rows <= LIMIT || dataFile.to - dataFile.from === 1).toBe(true);
  }
  expect(held.map(contentOf)).toEqual(some.toSorted(byTxCreated).map(contentOf));
}

function isPartition({ from, to }: DataFile): boolean {
  let partition = monthOf(from);
  for (
    let halves = halvesOf(partition);
    halves !== null && partition.to - partition.from > to - from;
    halves = halvesOf(partition)
  ) {
    partition = from < halves[1].from ? halves[0] : halves[1];
  }
  return partition.from === from && partition.to === to;
}

test("the cut into data files depends only on the fills, not on their order or grouping", async () => {
  const filedTwice = fills.chain((some) =>
    fc.tuple(
      fc.constant(some),
      fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
      fc.array(fc.nat({ max: some.length }), { maxLength: 8 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(filedTwice, async ([some, shuffled, places]) => {
      const [one, other] = [filingPorts(), filingPorts()];
      const dataFiles = await dataFilesOf(await fileAll(one, [some]));
      const edges = [0, ...places.toSorted((a, b) => a - b), shuffled.length];
      const batches = edges.slice(1).map((to, index) => shuffled.slice(edges[index], to));
      expect(await dataFilesOf(await fileAll(other, batches))).toEqual(dataFiles);
      await expectSound(one, dataFiles, some);
    }),
  );
});

test("data files cut finer or coarser before are cut correctly where a fill is added, and lose no fill", async () => {
  await fc.assert(
    fc.asyncProperty(fills, fc.constantFrom(1, 2, 9, 100), async (some, otherLimit) => {
      const [late, ...early] = some;
      const ports = filingPorts();
      limit.rows = otherLimit;
      const before = await fileAll(ports, [early]);
      limit.rows = LIMIT;
      const after = await dataFilesOf(await fileAll(ports, [[late as Fill]], before));
      await expectSound(ports, after, some, false);
      const holding = (dataFiles: readonly DataFile[]) =>
        dataFiles.find(({ from, to }) => from <= (late as Fill).txCreated && (late as Fill).txCreated < to);
      expect(holding(after)).toEqual(holding(await dataFilesOf(await fileAll(filingPorts(), [some]))));
    }),
  );
});

test("the content of a window is the same from the sums of its data files as from its rows", async () => {
  const span = fc.tuple(fc.nat({ max: 50 * DAY_MS }), fc.nat({ max: 50 * DAY_MS }));
  await fc.assert(
    fc.asyncProperty(fills, span, async (some, [from, width]) => {
      limit.rows = 1;
      const ports = filingPorts();
      const manifestIndex = await fileAll(ports, [some]);
      const window = { from: MARCH + from, to: MARCH + from + width };
      const inside = some.filter(({ txCreated }) => window.from <= txCreated && txCreated < window.to);
      const times = inside.map(({ txCreated }) => txCreated).sort((a, b) => a - b);
      const expected = {
        rows: inside.length,
        first: times.at(0) ?? null,
        last: times.at(-1) ?? null,
        setHash: formatSetHash(setHashOf(inside)),
      };
      expect(await summariseBySums(ports, manifestIndex, window)).toEqual(expected);
      expect(await summarise(ports, manifestIndex, window)).toEqual(expected);
    }),
  );
});

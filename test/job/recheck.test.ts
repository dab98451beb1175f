import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import { emptyManifest, type Manifest } from "../../lambda/archive/manifest.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { EMPTY_SET, formatSetHash } from "../../lambda/archive/set-hash.ts";
import { covers, subtract, union } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../lambda/core/time.ts";
import { type LookBack, planRecheck } from "../../lambda/job/recheck.ts";
import type { Recheck } from "../../lambda/walk/walk-request.ts";
import { memoryStore } from "../support/memory-store.ts";

const T0 = Date.UTC(2024, 0, 1);
const LATEST = T0 + 727 * DAY_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const RUN = { now: LATEST, latest: LATEST, lookBackMs: LOOK_BACK_MS };
const RECENT = { from: LATEST - LOOK_BACK_MS, to: LATEST };
const WEEK_MS = 7 * DAY_MS;

interface Archive {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
}

/**
 * An archive of data files with the given numbers of rows, each for a month of 30 days. The first begins at
 * `from`, which may be before the covered range.
 */
async function archiveOf(
  rows: readonly number[],
  { from = T0, coverage = [{ from: T0, to: LATEST }] }: { from?: number; coverage?: readonly TimeRange[] } = {},
): Promise<Archive> {
  const dataFiles = rows
    .map((count, index) => dataFileOf(from + index * 30 * DAY_MS, count))
    .filter((dataFile) => dataFile.rows > 0);
  const manifestIndex = await ManifestIndex.empty({ account: "main", store: memoryStore() }).change({
    added: { dataFiles },
  });
  const empty = emptyManifest("main");
  const proven = { keepingEnd: 9999 * DAY_MS, keepingBeginning: 9999 * DAY_MS };
  const fills = rows.reduce((sum, count) => sum + count, 0);
  return { manifest: { ...empty, fills, coverage, checkpoint: { ...empty.checkpoint, proven } }, manifestIndex };
}

/** The plan of a run of the whole book, which always has one. */
async function planned(archive: Archive, run: LookBack): Promise<Recheck> {
  const plan = await planRecheck(archive, run);
  expect(plan).not.toBeNull();
  return plan as Recheck;
}

function dataFileOf(from: number, rows: number): DataFile {
  const to = from + 30 * DAY_MS;
  const times = { from, to, first: from, last: to - 1, firstTrade: from, lastTrade: to - 1 };
  const content = { sha256: "", bytes: 1, exceptions: 0, setHash: formatSetHash(EMPTY_SET) };
  return { key: `main/fills/${from}`, rows, ...times, ...content };
}

function withCheckpoint({ manifest, manifestIndex }: Archive, change: Partial<Manifest["checkpoint"]>): Archive {
  return { manifest: { ...manifest, checkpoint: { ...manifest.checkpoint, ...change } }, manifestIndex };
}

describe("a look-back", async () => {
  const archive = await archiveOf(Array.from({ length: 24 }, () => 5000));

  test("is due in the first run, then every twelve hours, and when the clock was set back", async () => {
    expect((await planned(archive, RUN)).lookedBackAt).toBe(LATEST);
    const looked = withCheckpoint(archive, { lookedBackAt: LATEST });
    for (const [passed, isDue] of [
      [12 * HOUR_MS - 1, false],
      [12 * HOUR_MS, true],
      [-1, true],
    ] as const) {
      const plan = await planned(looked, { ...RUN, now: LATEST + passed });
      expect(plan.lookedBackAt === LATEST + passed).toBe(isDue);
      expect(plan.rechecks.length > 0).toBe(isDue);
    }
  });

  test("that is switched off changes nothing", async () => {
    const at = { rechecks: [{ from: T0, to: T0 + 5 }], lookedBackAt: 3, rotatedTo: 4, rotatedAt: 5 };
    expect(await planned(withCheckpoint(archive, at), { ...RUN, lookBackMs: 0 })).toEqual(at);
  });

  test("continues what an earlier one left, in the next run and when the next look-back is due", async () => {
    const left = { from: T0 + DAY_MS, to: T0 + 3 * DAY_MS };
    const begun = withCheckpoint(archive, { rechecks: [left], lookedBackAt: LATEST, rotatedTo: left.from });
    expect((await planned(begun, { ...RUN, now: LATEST + HOUR_MS })).rechecks).toEqual([left]);
    const next = await planned(begun, { ...RUN, now: LATEST + DAY_MS });
    expect(covers(union(next.rechecks), left)).toBe(true);
    expect(covers(union(next.rechecks), RECENT)).toBe(true);
  });

  test("of an empty archive has nothing to walk, is noted as done, and does not begin the rotation", async () => {
    const unsettled = [{ ...RECENT, askedAt: LATEST, rechecked: false }];
    const nothing = { rechecks: [], lookedBackAt: LATEST, rotatedTo: null, rotatedAt: null, unsettled };
    expect(await planned(await archiveOf([], { coverage: [] }), RUN)).toEqual(nothing);
  });
});

describe("a look-back after one that left out some times", async () => {
  const archive = await archiveOf([5000]);
  const old = { from: T0 + DAY_MS, to: T0 + 3 * DAY_MS };
  const missed = { ...old, askedAt: old.to + HOUR_MS, rechecked: true };

  test("walks them too, then considers them settled", async () => {
    const at = withCheckpoint(archive, { rotatedAt: LATEST, unsettled: [missed] });
    expect(await planned(at, RUN)).toMatchObject({
      rechecks: [old, RECENT],
      unsettled: [{ ...RECENT, askedAt: LATEST, rechecked: true }],
    });
  });

  test("walks the part of a left-out range that lies before it", async () => {
    const long = { from: old.from, to: RECENT.from + HOUR_MS, askedAt: RECENT.from + 2 * HOUR_MS, rechecked: true };
    const at = withCheckpoint(archive, { rotatedAt: LATEST, unsettled: [long] });
    expect((await planned(at, RUN)).rechecks).toEqual([{ from: old.from, to: RECENT.to }]);
  });

  test("of one range walks those inside it, and keeps the others for later", async () => {
    const at = withCheckpoint(archive, { lookedBackAt: 3, unsettled: [missed] });
    const range = { from: T0, to: T0 + 2 * DAY_MS };
    expect(await planned(at, { ...RUN, range })).toMatchObject({
      rechecks: [{ from: old.from, to: range.to }],
      lookedBackAt: 3,
      unsettled: [{ ...missed, from: range.to }],
    });
    expect(await planRecheck(at, { ...RUN, range: { from: T0, to: old.from } })).toBeNull();
  });

  test("walks the last days of its range in any case if it is told to", async () => {
    const range = { from: T0, to: T0 + 100 * DAY_MS };
    const { rechecks } = await planned(archive, { ...RUN, range, always: true });
    expect(rechecks).toEqual([{ from: range.to - LOOK_BACK_MS, to: range.to }]);
  });

  test("keeps at most 64 ranges in the manifest for many small ones, and each is still walked again later", async () => {
    const ranges = Array.from({ length: 200 }, (_, count) => {
      const from = T0 + 36 * count * HOUR_MS;
      return { from, to: from + HOUR_MS };
    });
    let at = archive;
    for (const [count, range] of ranges.entries()) {
      const now = range.to;
      const run = { now, latest: now, lookBackMs: LOOK_BACK_MS, range };
      at = withCheckpoint(at, { ...(await planned(at, run)), rechecks: [] });
      const { unsettled = [] } = at.manifest.checkpoint;
      expect(unsettled.length).toBe(Math.min(count + 1, 64));
    }
    const { rechecks } = await planned(at, RUN);
    expect(ranges.filter((range) => !covers(rechecks, range))).toEqual([]);
  });
});

describe("the rotation", () => {
  const archives = fc
    .record({
      rows: fc.array(fc.constantFrom(0, 1, 30, 900, 5000, 40_000), { minLength: 1, maxLength: 23 }),
      from: fc.constantFrom(0, 1, 12 * DAY_MS, 29 * DAY_MS).map((ms) => T0 - ms),
      hole: fc.option(fc.nat({ max: 600 }), { nil: null }),
    })
    .map(({ rows, from, hole }) => {
      const whole = { from: T0, to: LATEST };
      const at = T0 + (hole ?? 0) * DAY_MS;
      const coverage = hole === null ? [whole] : subtract(whole, [{ from: at, to: at + 40 * DAY_MS }]);
      return { rows, from, coverage };
    });

  // A rotation that stands in the middle has two parts left: down to the beginning, and from the top down to
  // where it stood.
  test("walks everything that was covered again within a year of nights, also what the nights add, one piece a week, wherever it begins", async () => {
    const drawn = fc.record({ archive: archives, rotatedTo: fc.option(fc.integer({ min: T0 - 1, max: RECENT.from })) });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ archive: { rows, from, coverage }, rotatedTo }) => {
        const { manifest, manifestIndex } = await archiveOf(rows, { from, coverage });
        let checkpoint = { ...manifest.checkpoint, rotatedTo };
        const walked: TimeRange[] = [];
        let pieces = 0;
        const nights = 54 * 7;
        for (let night = 1; night <= nights; night += 1) {
          const latest = LATEST + night * DAY_MS;
          const before = { ...manifest, checkpoint, coverage: union([...coverage, { from: LATEST, to: latest }]) };
          const plan = await planned({ manifest: before, manifestIndex }, { ...RUN, now: latest, latest });
          expect(plan.rechecks.every((one) => covers(before.coverage, one))).toBe(true);
          pieces += plan.rotatedAt === latest ? 1 : 0;
          walked.push(...plan.rechecks);
          checkpoint = { ...checkpoint, ...plan, rechecks: [] };
        }
        const covered = union([...coverage, { from: LATEST, to: LATEST + nights * DAY_MS }]);
        expect(union(walked)).toEqual(covered);
        expect(pieces).toBe(54);
      }),
      { numRuns: 30 },
    );
  });

  test("is due in the first run and a week later, even half a day early; in between, a piece that was begun stays", async () => {
    const archive = await archiveOf(Array.from({ length: 24 }, () => 30_000));
    const first = await planned(archive, RUN);
    expect(first.rotatedAt).toBe(LATEST);
    const walked = withCheckpoint(archive, { ...first, rechecks: [] });
    for (const [passed, isDue] of [
      [DAY_MS, false],
      [6.5 * DAY_MS - 1, false],
      [6.5 * DAY_MS, true],
      [WEEK_MS, true],
      [-1, true],
    ] as const) {
      const now = LATEST + passed;
      const plan = await planned(walked, { ...RUN, now });
      const { rotatedTo } = plan;
      const piece = isDue ? [{ from: rotatedTo, to: first.rotatedTo }] : [];
      expect(plan).toEqual({
        rechecks: [...piece, RECENT],
        lookedBackAt: now,
        rotatedTo: isDue ? expect.any(Number) : first.rotatedTo,
        rotatedAt: isDue ? now : LATEST,
        unsettled: [{ ...RECENT, askedAt: now, rechecked: true }],
      });
    }
  });

  test("takes a 52nd of the rows a week, at least seven thousand", async () => {
    const days = (rotatedTo: number | null) => (RECENT.from - (rotatedTo ?? 0)) / DAY_MS;
    const even = await archiveOf(Array.from({ length: 24 }, () => 30_000)); // 1,000 a day
    expect(days((await planned(even, RUN)).rotatedTo)).toBeCloseTo(720_000 / 52 / 1000, 2);
    const small = await archiveOf(Array.from({ length: 25 }, () => 300)); // 10 a day
    expect(days((await planned(small, RUN)).rotatedTo)).toBeCloseTo(700, 2);
  });

  test("goes at most 52 weeks back in a week if fills are too few to prove a wider range", async () => {
    const bare = withCheckpoint(await archiveOf([0]), { proven: { keepingEnd: 0, keepingBeginning: 0 } });
    const { rotatedTo } = await planned(bare, RUN);
    expect(RECENT.from - (rotatedTo ?? 0)).toBeLessThanOrEqual(52 * 7 * DAY_MS);
    expect(RECENT.from - (rotatedTo ?? 0)).toBeGreaterThan(51 * 7 * DAY_MS);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyManifest, type Manifest, type Part } from "../../lambda/archive/manifest.ts";
import { covers, subtract, union } from "../../lambda/model/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../lambda/model/time.ts";
import { planAgain } from "../../lambda/walk/again.ts";

const T0 = Date.UTC(2024, 0, 1);
const LATEST = T0 + 727 * DAY_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const RUN = { now: LATEST, latest: LATEST, lookBackMs: LOOK_BACK_MS };
const RECENT = { from: LATEST - LOOK_BACK_MS, to: LATEST };

/** Parts of so many rows in months of 30 days, from `from` on: the calendar cells begin before what is covered. */
function archiveOf(
  rows: readonly number[],
  { from = T0, coverage = [{ from: T0, to: LATEST }] }: { from?: number; coverage?: readonly TimeRange[] } = {},
): Manifest {
  const parts = rows.map((count, index) => ({
    from: from + index * 30 * DAY_MS,
    to: from + (index + 1) * 30 * DAY_MS,
    rows: count,
  }));
  const empty = emptyManifest("main");
  return {
    ...empty,
    parts: parts.filter((part) => part.rows > 0) as unknown as readonly Part[],
    fills: rows.reduce((sum, count) => sum + count, 0),
    coverage,
    checkpoint: { ...empty.checkpoint, proven: { keepingEnd: 9999 * DAY_MS, keepingBeginning: 9999 * DAY_MS } },
  };
}

function withCheckpoint(manifest: Manifest, change: Partial<Manifest["checkpoint"]>): Manifest {
  return { ...manifest, checkpoint: { ...manifest.checkpoint, ...change } };
}

describe("a look-back", () => {
  const archive = archiveOf(Array.from({ length: 24 }, () => 5000));

  test("is due at first, then every twelve hours; and when the clock was set back", () => {
    expect(planAgain(archive, RUN).lookedBackAt).toBe(LATEST);
    const looked = withCheckpoint(archive, { lookedBackAt: LATEST });
    for (const [passed, isDue] of [
      [12 * HOUR_MS - 1, false],
      [12 * HOUR_MS, true],
      [-1, true],
    ] as const) {
      const plan = planAgain(looked, { ...RUN, now: LATEST + passed });
      expect(plan.lookedBackAt === LATEST + passed).toBe(isDue);
      expect(plan.again.length > 0).toBe(isDue);
    }
  });

  test("goes back from the newest time that is walked, over what is covered alone, and the rotation goes on below it", () => {
    const { again, rotatedTo } = planAgain(archive, RUN);
    expect(again).toEqual([{ from: rotatedTo, to: LATEST }]);
    expect(rotatedTo).toBeLessThan(RECENT.from);
    const holed = { ...archive, coverage: [{ from: T0, to: LATEST - 3 * DAY_MS }] };
    expect(union(planAgain(holed, RUN).again).at(-1)?.to).toBe(LATEST - 3 * DAY_MS);
  });

  test("that is not wanted leaves everything as it is", () => {
    const left = withCheckpoint(archive, { again: [{ from: T0, to: T0 + 5 }], lookedBackAt: 3, rotatedTo: 4 });
    const { again, lookedBackAt, rotatedTo } = left.checkpoint;
    expect(planAgain(left, { ...RUN, lookBackMs: 0 })).toEqual({ again, lookedBackAt, rotatedTo });
  });

  test("what an earlier one left goes on: in the next run, and when the next look-back is due", () => {
    const left = { from: T0 + DAY_MS, to: T0 + 3 * DAY_MS };
    const begun = withCheckpoint(archive, { again: [left], lookedBackAt: LATEST, rotatedTo: left.from });
    expect(planAgain(begun, { ...RUN, now: LATEST + HOUR_MS }).again).toEqual([left]);
    const next = planAgain(begun, { ...RUN, now: LATEST + DAY_MS });
    expect(covers(union(next.again), left)).toBe(true);
    expect(covers(union(next.again), RECENT)).toBe(true);
  });

  test("of an archive that holds nothing: nothing, and it is noted", () => {
    expect(planAgain(emptyManifest("main"), RUN)).toEqual({ again: [], lookedBackAt: LATEST, rotatedTo: null });
  });
});

describe("the rotation", () => {
  /** Turn by turn, each walked to its end: what was walked again, until it begins again at the top. */
  function rotate(archive: Manifest, mostTurns: number) {
    const pieces: TimeRange[][] = [];
    let manifest = archive;
    for (let turn = 1; turn <= mostTurns; turn += 1) {
      const plan = planAgain(manifest, { ...RUN, now: LATEST + turn * DAY_MS });
      if (
        turn > 1 &&
        (plan.rotatedTo ?? Number.POSITIVE_INFINITY) >= (manifest.checkpoint.rotatedTo ?? Number.POSITIVE_INFINITY)
      ) {
        return { turns: turn - 1, pieces, again: plan };
      }
      pieces.push(plan.again.flatMap((one) => subtract(one, [RECENT])));
      manifest = withCheckpoint(archive, { ...plan, again: [] });
    }
    return { turns: Number.POSITIVE_INFINITY, pieces, again: null };
  }

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
      return archiveOf(rows, { from, coverage });
    });

  test("goes down all that is covered within a year of nights, then begins again at the top; each piece is covered, none twice", () => {
    fc.assert(
      fc.property(archives, (archive) => {
        const { turns, pieces, again } = rotate(archive, 366);
        expect(turns).toBeLessThanOrEqual(365);
        const flat = pieces.flat();
        expect(flat.every((one) => covers(archive.coverage, one))).toBe(true);
        const old = archive.coverage.flatMap((one) => subtract(one, [RECENT]));
        expect(union(flat)).toEqual(union(old));
        const widths = (ranges: readonly TimeRange[]) => ranges.reduce((sum, { from, to }) => sum + to - from, 0);
        expect(widths(flat)).toBe(widths(union(flat)));
        expect(again?.rotatedTo).toBe(planAgain(archive, RUN).rotatedTo);
      }),
    );
  });

  test("takes a 365th of the rows a night, and a thousand at least", () => {
    const even = archiveOf(Array.from({ length: 24 }, () => 30_000)); // 1,000 a day
    const nights = (rotatedTo: number | null) => (RECENT.from - (rotatedTo ?? 0)) / DAY_MS;
    expect(nights(planAgain(even, RUN).rotatedTo)).toBeCloseTo(720_000 / 365 / 1000, 2);
    const small = archiveOf(Array.from({ length: 25 }, () => 300)); // 10 a day
    expect(nights(planAgain(small, RUN).rotatedTo)).toBeCloseTo(100, 2);
  });

  test("goes no further in a night than ten windows that no service cuts, where few fills prove nothing wider", () => {
    const bare = withCheckpoint(archiveOf([0]), { proven: { keepingEnd: 0, keepingBeginning: 0 } });
    const { rotatedTo } = planAgain(bare, RUN);
    expect(RECENT.from - (rotatedTo ?? 0)).toBeLessThanOrEqual(10 * DAY_MS);
    expect(RECENT.from - (rotatedTo ?? 0)).toBeGreaterThan(9 * DAY_MS);
  });
});

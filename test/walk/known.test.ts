import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Calendar } from "../../lambda/archive/calendar/calendar.ts";
import { emptyManifest, type WindowRecord } from "../../lambda/archive/manifest.ts";
import { union } from "../../lambda/model/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../lambda/model/time.ts";
import { knownAbove } from "../../lambda/walk/known.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";
import { plainKnown } from "./plain-known.ts";

const T0 = Date.UTC(2024, 10, 1);
const HOURS = 24 * 90;

/** Windows over and beside each other, often with the same ends, most of them without a fill; in busy hours so many that the calendar is cut down to hours. */
const windows: fc.Arbitrary<readonly WindowRecord[]> = fc
  .uniqueArray(
    fc.record({
      hour: fc.oneof(fc.nat({ max: HOURS }), fc.integer({ min: 700, max: 704 })),
      minute: fc.constantFrom(0, 0, 10, 59),
      hours: fc.oneof(fc.constantFrom(1, 1, 2, 24), fc.integer({ min: 1, max: 24 * 40 })),
      at: fc.option(fc.nat({ max: 99 }), { nil: null, freq: 2 }),
    }),
    { selector: ({ hour, minute, hours }) => [hour, minute, hours].join(), maxLength: 300 },
  )
  .map((drawn) =>
    drawn.map(({ hour, minute, hours, at }) => {
      const from = T0 + hour * HOUR_MS + minute * 60_000;
      const to = from + hours * HOUR_MS;
      const first = at === null ? null : from + Math.floor(((to - from) * at) / 100);
      return recordOf({ from, to }, first);
    }),
  );

function recordOf({ from, to }: TimeRange, first: number | null): WindowRecord {
  const rows = first === null ? 0 : 1;
  const hash = "0".repeat(64);
  const walk = { pages: 1, duplicates: 0, ended: "no-last", pagesHash: hash, setHash: hash, evidence: [] } as const;
  return { from, to, rows, first, last: first, ...walk };
}

/** Before or after they are stored, read by a run that has nothing in memory. */
async function calendarOf(all: readonly WindowRecord[], isStored: boolean): Promise<Calendar> {
  const ports = { account: "main", store: memoryStore() };
  const calendar = await Calendar.empty(ports).change({ added: { windows: all } });
  const sealing = { clock: fakeClock({ auto: true }), epoch: 1 };
  return isStored ? Calendar.of(ports, (await calendar.seal(sealing)).root) : calendar;
}

describe("what is known above a gap", () => {
  const drawn = fc.record({
    all: windows,
    kept: fc.infiniteStream(fc.boolean()),
    gap: fc.oneof(fc.nat({ max: HOURS + 48 }), fc.integer({ min: 699, max: 706 })),
    atEnd: fc.nat(),
    isStored: fc.boolean(),
  });

  test("is what a look at every window finds: the nearest of them, and the oldest fill with nothing unknown between", async () => {
    let anchors = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async ({ all, kept, gap, atEnd, isStored }) => {
        const coverage = union(all.filter(() => kept.next().value));
        // Mostly where covered time begins: only there is a fill an anchor.
        const end = atEnd % 3 === 0 ? undefined : coverage[atEnd % Math.max(coverage.length, 1)]?.from;
        const to = end ?? T0 + gap * HOUR_MS;
        const gaps = [
          { from: T0 - 9 * DAY_MS, to: T0 - 8 * DAY_MS },
          { from: T0 - DAY_MS, to: Math.max(to, T0) },
        ];
        const expected = plainKnown({ coverage, windows: all }, gaps);
        const archive = { manifest: { ...emptyManifest("main"), coverage }, calendar: await calendarOf(all, isStored) };
        expect(await knownAbove(archive, gaps)).toEqual(expected);
        anchors += expected.anchor === null ? 0 : 1;
      }),
      { numRuns: 200 },
    );
    expect(anchors).toBeGreaterThan(20);
  });

  test("is nothing where there is no gap, or no window", async () => {
    const one = recordOf({ from: T0, to: T0 + DAY_MS }, T0 + 5);
    const archive = async (all: readonly WindowRecord[]) => ({
      manifest: { ...emptyManifest("main"), coverage: union(all) },
      calendar: await calendarOf(all, false),
    });
    expect(await knownAbove(await archive([one]), [])).toEqual({ near: [], anchor: null });
    expect(await knownAbove(await archive([]), [{ from: T0, to: T0 + 1 }])).toEqual({ near: [], anchor: null });
  });

  test("a fill behind a hole, or above a window that was not covered, is no anchor", async () => {
    const gap = { from: T0 - DAY_MS, to: T0 };
    const empty = recordOf({ from: T0, to: T0 + DAY_MS }, null);
    const next = recordOf({ from: T0 + DAY_MS, to: T0 + 2 * DAY_MS }, T0 + DAY_MS + 7);
    const beyond = recordOf({ from: T0 + DAY_MS + 1, to: T0 + 2 * DAY_MS }, T0 + DAY_MS + 7);
    const anchor = async (all: readonly WindowRecord[], coverage: readonly TimeRange[]) => {
      const archive = { manifest: { ...emptyManifest("main"), coverage }, calendar: await calendarOf(all, false) };
      return (await knownAbove(archive, [gap])).anchor;
    };
    expect(await anchor([empty, next], union([empty, next]))).toBe(T0 + DAY_MS + 7);
    expect(await anchor([empty, beyond], union([empty, beyond]))).toBeNull();
    expect(await anchor([next], [next])).toBeNull();
    expect(await anchor([empty, next], [])).toBeNull();
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { restatementsKey } from "../../../lambda/archive/keys.ts";
import type { RestatementFile } from "../../../lambda/archive/manifest.ts";
import type { Restatement } from "../../../lambda/archive/merge.ts";
import { encodeRestatements } from "../../../lambda/archive/restatements.ts";
import { DAY_MS, isoTime } from "../../../lambda/core/time.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { restatedSince } from "../../../lambda/web/data/restated.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";

const START = Date.UTC(2025, 0, 1);

const day = fc.integer({ min: 0, max: 30 });
/** The restatement of a fill on a day. If the fill's time changed, it has two days. */
const drawn = fc.record({ kind: fc.constantFrom("late", "changed", "enriched"), day, dayBefore: day });
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
const commits = fc.array(fc.array(drawn, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
const range = fc.tuple(day, fc.integer({ min: 1, max: 20 })).map(([first, days]) => ({ first, end: first + days }));
type Days = typeof range extends fc.Arbitrary<infer T> ? T : never;

const NOTHING = { late: 0, changed: 0, enriched: 0 };

const fillOf = (day: number) => makeFill({ txCreated: START + day * DAY_MS, filledAt: START + day * DAY_MS });

/** An archive with these commits, its objects in order, and a record of what was read. */
async function archiveOf(all: readonly (readonly Drawn[])[]) {
  const inner = memoryStore();
  const files: RestatementFile[] = [];
  for (const [seq, some] of all.entries()) {
    const restated = some.map(
      ({ kind, day, dayBefore }): Restatement => ({
        kind,
        before: kind === "late" ? null : fillOf(dayBefore),
        after: fillOf(day),
      }),
    );
    const run = String(seq).padStart(12, "0");
    const { file, body } = encodeRestatements(restated, { seenAt: 0, seq, run });
    await inner.createNew(restatementsKey("main", file), body);
    files.push(file);
  }
  return { files, store: faultyStore(inner, () => "ok") };
}

const sinceIn = (store: Store, files: readonly RestatementFile[], claims: readonly ReturnType<typeof claimOf>[]) =>
  Promise.all(
    claims.map((claim) => restatedSince({ account: "main", store }, { restatements: files, skewMs: 500 }, claim)),
  );

/** The counts by definition: restatements that have a version within the days. */
function countsOf(all: readonly (readonly Drawn[])[], { first, end }: Days) {
  const isIn = (day: number) => first <= day && day < end;
  const inDays = all.flat().filter(({ kind, day, dayBefore }) => isIn(day) || (kind !== "late" && isIn(dayBefore)));
  const of = (kind: Drawn["kind"]) => inDays.filter((one) => one.kind === kind).length;
  return { late: of("late"), changed: of("changed"), enriched: of("enriched") };
}

const claimOf = (days: Days, restatements: ReturnType<typeof countsOf>) => ({
  from: isoTime(START + days.first * DAY_MS),
  to: isoTime(START + days.end * DAY_MS),
  totals: { restatements },
});

test("for packs made after any commit, over any days: counts late and changed fills of later commits", async () => {
  const packs = fc.array(fc.tuple(range, fc.nat({ max: 12 })), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(commits, packs, async (all, made) => {
      const { files, store } = await archiveOf(all);
      const claims = made.map(([days, at]) => claimOf(days, countsOf(all.slice(0, at), days)));
      const expected = made.map(([days, at]) => {
        const { late, changed } = countsOf(all.slice(at), days);
        return late + changed;
      });
      expect(await sinceIn(store, files, claims)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test("if a fill of the days may have been created outside the requested times, the count is unknown, unless some fills are late", async () => {
  const { files, store } = await archiveOf([[{ kind: "late", day: 3, dayBefore: 3 }]]);
  const since = (skewMs: number, days: Days) =>
    restatedSince({ account: "main", store }, { restatements: files, skewMs }, claimOf(days, NOTHING));
  const later = { first: 10, end: 17 };
  expect(await since(7 * DAY_MS, later)).toBe(0);
  expect(await since(7 * DAY_MS + 1, later)).toBeNull();
  expect(await since(7 * DAY_MS + 1, { first: 0, end: 7 })).toBe(1);
});

test("nothing is read if nothing has changed since, or too much; another pack gets its count all the same", async () => {
  const of = (day: number): Drawn => ({ kind: "changed", day, dayBefore: day });
  const days = { first: 0, end: 20 };
  const few = { first: 20, end: 30 };
  const all = [...Array.from({ length: 600 }, () => [of(3)]), [of(25)]];
  const { files, store } = await archiveOf(all);
  const some = files.slice(0, 300);
  expect(await sinceIn(store, some, [claimOf(days, countsOf(all.slice(0, 300), days))])).toEqual([0]);
  expect(await sinceIn(store, [], [claimOf(days, NOTHING)])).toEqual([0]);
  expect(store.operations).toEqual([]);
  expect(await sinceIn(store, files, [claimOf(days, NOTHING), claimOf(few, NOTHING)])).toEqual([null, 1]);
  const [last] = files.slice(-1).map((file) => restatementsKey("main", file));
  expect(store.operations.map(({ key }) => key)).toEqual([last]);
  // An object whose stated size exceeds the limit; a pack that counts more than the archive has.
  const large = files.slice(-1).map((file) => ({ ...file, rows: 1_000_000 }));
  expect(await sinceIn(store, large, [claimOf(few, NOTHING)])).toEqual([null]);
  expect(await sinceIn(store, some, [claimOf(days, { ...NOTHING, late: 301 })])).toEqual([null]);
});

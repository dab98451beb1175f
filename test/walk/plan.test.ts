import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WindowRecord } from "../../lambda/archive/manifest.ts";
import { syncArchive } from "../../lambda/flow/sync.ts";
import { covers, overlaps, union, width } from "../../lambda/model/ranges.ts";
import { DAY_MS, type TimeRange } from "../../lambda/model/time.ts";
import { NOTHING_PROVEN } from "../../lambda/walk/cover.ts";
import {
  freshWindow,
  type GapInput,
  gapsOf,
  MARGIN_MS,
  type PlanInput,
  planRound,
  safeWidth,
} from "../../lambda/walk/plan.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import { audit } from "../support/auditor.ts";
import { makeBench } from "../support/job.ts";
import { plainKnown } from "./plain-known.ts";

const T0 = Date.UTC(2025, 0, 1);
const CHECKPOINT = { proven: NOTHING_PROVEN, barrenAbove: null, datesTrusted: true };

function recordOf(range: TimeRange, times: readonly number[]): WindowRecord {
  const rows = times.filter((time) => range.from <= time && time < range.to);
  return {
    ...range,
    pages: 1,
    rows: rows.length,
    duplicates: 0,
    first: rows.length === 0 ? null : Math.min(...rows),
    last: rows.length === 0 ? null : Math.max(...rows),
    ended: "no-last",
    setHash: "",
    pagesHash: "",
    evidence: [],
  };
}

const hours = fc.integer({ min: 0, max: 24 * 300 }).map((hour) => T0 + hour * 3_600_000 + (hour % 7));
const span = fc
  .tuple(hours, hours)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

interface State extends GapInput, Pick<PlanInput, "checkpoint" | "workers"> {
  readonly windows: readonly WindowRecord[];
}

/** An archive in any state: windows that do not overlap, coverage that rests on them. */
const input: fc.Arbitrary<State> = fc
  .record({
    range: span,
    walked: fc.array(span, { maxLength: 6 }),
    failed: fc.array(span, { maxLength: 2 }),
    times: fc.array(hours, { maxLength: 30 }),
    provenMs: fc.constantFrom(0, DAY_MS / 2, 3 * DAY_MS, 100 * DAY_MS),
    datesTrusted: fc.constantFrom(true, true, true, false),
    barrenAt: fc.option(fc.nat({ max: 29 }), { nil: null }),
  })
  .map(({ range, walked, failed, times, provenMs, datesTrusted, barrenAt }) => ({
    range,
    coverage: union(walked),
    windows: union(walked).map((one) => recordOf(one, times)),
    checkpoint: {
      ...CHECKPOINT,
      proven: { keepingEnd: provenMs, keepingBeginning: provenMs },
      datesTrusted,
      barrenAbove: barrenAt === null ? null : (times[barrenAt] ?? null),
    },
    failed: union(failed),
    again: [],
    workers: 16,
  }));

/** What the walk makes of the state. */
function inputOf(state: State): PlanInput {
  const gaps = gapsOf(state);
  const { checkpoint, workers } = state;
  return { gaps, known: plainKnown(state, gaps), checkpoint, workers };
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

describe("a plan", () => {
  test("is a function of its input: the same plan for an equal one, which it leaves as it is", () => {
    fc.assert(
      fc.property(input, (one) => {
        expect(planRound(frozen(structuredClone(inputOf(one))))).toEqual(planRound(inputOf(one)));
        expect(gapsOf(frozen(structuredClone(one)))).toEqual(gapsOf(one));
      }),
    );
  });

  test("is empty exactly when nothing is left to walk", () => {
    fc.assert(
      fc.property(input, (one) => {
        const left = gapsOf(one);
        expect(planRound(inputOf(one)).length === 0).toBe(left.length === 0);
        const isAllTaken = covers(union([...one.coverage, ...one.failed]), one.range);
        expect(left.length === 0).toBe(isAllTaken);
      }),
    );
  });

  test("with dates: windows inside the gaps, newest first, none over another", () => {
    fc.assert(
      fc.property(input, (one) => {
        fc.pre(one.checkpoint.datesTrusted);
        const windows = planRound(inputOf(one));
        expect(windows.every((window) => window.dated && window.from < window.to)).toBe(true);
        expect(windows.every((window) => gapsOf(one).some((gap) => covers([gap], window)))).toBe(true);
        expect(windows.every(({ to }, at) => at === 0 || to <= (windows[at - 1]?.from ?? 0))).toBe(true);
        expect(windows[0]?.to).toBe(gapsOf(one).at(-1)?.to);
      }),
      { numRuns: 500 },
    );
  });

  test("asks no wider than what cannot be clamped, or else along with a known fill above the gap", () => {
    fc.assert(
      fc.property(input, (one) => {
        fc.pre(one.checkpoint.datesTrusted);
        const whole = safeWidth(one.checkpoint.proven);
        for (const window of planRound(inputOf(one))) {
          const isSafe = window.to - window.from <= whole && window.askTo === window.to;
          expect(isSafe || isAnchored(one, window)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("without dates: one window over all that is left", () => {
    fc.assert(
      fc.property(input, (one) => {
        const distrusting = { ...one, checkpoint: { ...one.checkpoint, datesTrusted: false } };
        const left = gapsOf(distrusting);
        const ends = left.length === 0 ? [] : [{ from: left[0]?.from, to: left.at(-1)?.to, dated: false }];
        expect(planRound(inputOf(distrusting))).toMatchObject(ends);
      }),
    );
  });
});

/** Its upper date is a fill of the archive, and all between that fill and the window is covered without another fill. */
function isAnchored({ coverage, windows }: State, { to, askTo }: { to: number; askTo: number }): boolean {
  const known = windows.some(({ first }) => first === askTo);
  const isNearest = windows.every(({ first }) => first === null || first < to || first >= askTo);
  return known && isNearest && covers(coverage, { from: to, to: askTo + 1 });
}

test("a window and its margins are no wider than what was proven, or than a day", () => {
  expect(safeWidth(NOTHING_PROVEN) + 2 * MARGIN_MS).toBe(DAY_MS);
  expect(safeWidth({ keepingEnd: 5 * DAY_MS, keepingBeginning: 6 * DAY_MS }) + 2 * MARGIN_MS).toBe(5 * DAY_MS);
});

test("a walker that covers what it is told ends, with all covered, whatever the archive began with", () => {
  const times = [...makeHistory({ seed: 4, fills: 2000, from: T0, to: T0 + 300 * DAY_MS, density: "bursts" }).times];
  fc.assert(
    fc.property(input, (start) => {
      let state = start;
      let rounds = 0;
      for (let plan = planRound(inputOf(state)); plan.length > 0; plan = planRound(inputOf(state))) {
        for (const window of plan) {
          const record = recordOf(window, times);
          const others = state.windows.filter((one) => !overlaps(one, window));
          state = {
            ...state,
            coverage: union([...state.coverage, window]),
            windows: [...others, record].sort((a, b) => a.from - b.from),
          };
        }
        rounds += 1;
        expect(rounds).toBeLessThan(400); // days of the range, and some
      }
      expect(covers(union([...state.coverage, ...start.failed]), start.range)).toBe(true);
      expect(width(state.coverage)).toBeGreaterThanOrEqual(width(start.coverage));
    }),
    { numRuns: 50 },
  );
});

test("a window asked along with a known fill is no wider in the answer than the clamp: exclusive ends of the narrowest", async () => {
  // The service answers a day of what is asked, without its first millisecond; the second fill stands in that millisecond.
  const to = Date.UTC(2025, 6, 1);
  const anchor = to - 16 * safeWidth(NOTHING_PROVEN) + 500; // in the lowest window of the first round
  const hidden = anchor + MARGIN_MS - DAY_MS;
  const item = makeHistory({ seed: 1, fills: 1, from: T0, to, ties: 0 }).item(0);
  const at = (txCreated: number) => ({ ...item, matchId: `m-${txCreated}`, txCreated, filledAt: txCreated + 50 });
  const history = historyOf([at(anchor), at(hidden)]);
  const clamp = { widthMs: DAY_MS, anchor: "end" as const, alsoSingleBound: true };
  const { job, emulator } = makeBench({ history, switches: { startInclusive: false, clamp } });
  const result = await syncArchive(job, { from: hidden, to });
  expect(result.problem).toBeNull();
  expect(await audit(job.store, job.account, emulator.truth())).toMatchObject({ lost: [], rows: 2 });
});

test("a fresh window stands before its first page", () => {
  expect(freshWindow({ from: 1, to: 5 })).toMatchObject({ askTo: 5, cursor: null, pages: 0, lowest: null });
  expect(freshWindow({ from: 1, to: 5 }, 9).askTo).toBe(9);
});

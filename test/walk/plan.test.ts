import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WindowRecord } from "../../lambda/archive/manifest-entries.ts";
import { covers, overlaps, union, width } from "../../lambda/core/ranges.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import { NOTHING_PROVEN, safeWidth } from "../../lambda/walk/clamp-proof.ts";
import { type GapInput, gapsOf, type PlanInput, planRound, silentWidth } from "../../lambda/walk/plan.ts";
import { NOTHING_REFUSED } from "../../lambda/walk/refusals.ts";
import { noSilence, type Silence, silentIn } from "../../lambda/walk/silence.ts";
import { MARGIN_MS, narrowerThan, piecesOf } from "../../lambda/walk/window.ts";
import { makeHistory } from "../emulator/history.ts";

const T0 = Date.UTC(2025, 0, 1);
const CHECKPOINT = { proven: NOTHING_PROVEN, datesTrusted: true, order: { refuted: false } };

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
    rawResponses: [],
  };
}

const hours = fc.integer({ min: 0, max: 24 * 300 }).map((hour) => T0 + hour * 3_600_000 + (hour % 7));
const span = fc
  .tuple(hours, hours)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

interface State extends GapInput, Pick<PlanInput, "checkpoint" | "workers" | "silence"> {
  readonly refused: readonly TimeRange[];
  readonly windows: readonly WindowRecord[];
}

/** An archive in any state: windows that do not overlap, and coverage that rests on them. */
const input: fc.Arbitrary<State> = fc
  .record({
    range: span,
    walked: fc.array(span, { maxLength: 6 }),
    failed: fc.array(span, { maxLength: 2 }),
    times: fc.array(hours, { maxLength: 30 }),
    provenMs: fc.constantFrom(0, DAY_MS / 2, 3 * DAY_MS, 100 * DAY_MS),
    datesTrusted: fc.constantFrom(true, true, true, false),
    refuted: fc.boolean(),
    silent: fc.array(span, { maxLength: 3 }),
    clampSeen: fc.boolean(),
    refusedMs: fc.constantFrom(null, null, 40 * DAY_MS),
    refused: fc.array(span, { maxLength: 2 }),
  })
  .map(({ range, walked, failed, times, provenMs, datesTrusted, refuted, silent, clampSeen, refusedMs, refused }) => ({
    range,
    coverage: union(walked),
    windows: union(walked).map((one) => recordOf(one, times)),
    checkpoint: {
      ...CHECKPOINT,
      proven: { keepingEnd: provenMs, keepingBeginning: provenMs },
      datesTrusted,
      order: { refuted },
      clampSeen,
      limits: { refusedMs, acceptedMs: 0 },
    },
    silence: silent
      .flatMap((one) => [one, one, one])
      .reduce<Silence>((silence, one) => silentIn(silence, one, one), noSilence(false)),
    failed: union(failed),
    refused,
    rechecks: [],
    workers: 16,
  }));

/** What the walk passes to the planner in this state. */
function inputOf(state: State): PlanInput {
  const gaps = gapsOf(state);
  const { checkpoint, workers, range, refused, silence, rechecks, windows } = state;
  const top = gaps.at(-1)?.to ?? 0;
  const near = windows.toSorted((a, b) => Math.abs(a.from - top) - Math.abs(b.from - top)).slice(0, 8);
  return {
    gaps,
    rechecks,
    range,
    refused: { ...NOTHING_REFUSED, ranges: refused },
    silence,
    near,
    checkpoint,
    workers,
  };
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

describe("a plan", () => {
  test("depends only on its input, and does not change it", () => {
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

  test("with dates: windows inside the gaps, newest first, without overlap", () => {
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

  test("requests silent ranges in narrow windows, and everything else as a whole", () => {
    fc.assert(
      fc.property(input, (one) => {
        fc.pre(one.checkpoint.datesTrusted);
        const { range, checkpoint, silence } = one;
        const heard = union(silence.heard.map((silent) => silent.range));
        const narrow = Math.max(safeWidth(checkpoint.proven), silentWidth(range, checkpoint, false));
        for (const window of planRound(inputOf(one))) {
          const isSilent = covers(heard, window);
          expect(isSilent || !heard.some((silent) => overlaps(silent, window))).toBe(true);
          const isNarrow = isSilent || checkpoint.clampSeen === true;
          expect(window.to - window.from).toBeLessThanOrEqual(isNarrow ? narrow : Number.POSITIVE_INFINITY);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("requests no wider than the service accepted, or half of what it refused", () => {
    fc.assert(
      fc.property(input, (one) => {
        fc.pre(one.checkpoint.datesTrusted);
        const most = one.checkpoint.limits?.refusedMs === null ? Number.POSITIVE_INFINITY : 20 * DAY_MS;
        expect(planRound(inputOf(one)).every(({ from, to }) => to - from + 2 * MARGIN_MS <= most)).toBe(true);
      }),
    );
  });

  test("without dates: one window over everything left", () => {
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

test("if old dates are refused, the newer half is requested, again and again", () => {
  const from = T0;
  const state = {
    rechecks: [],
    range: { from, to: from + 100 * DAY_MS },
    silence: noSilence(false),
    near: [],
    workers: 1,
  };
  const checkpoint = { ...CHECKPOINT, limits: { refusedMs: null, acceptedMs: 200 * DAY_MS } };
  const plan = (gaps: readonly TimeRange[], ranges: readonly TimeRange[]) =>
    planRound({ ...state, gaps, refused: { ...NOTHING_REFUSED, ranges }, checkpoint });
  const half = { from: from + 50 * DAY_MS, to: from + 100 * DAY_MS };
  expect(plan([state.range], [])).toMatchObject([state.range]);
  expect(plan([state.range], [state.range])).toMatchObject([half]);
  expect(plan([state.range], [state.range, half])).toMatchObject([{ from: from + 75 * DAY_MS, to: half.to }]);
  // The newer half was accepted. The walk goes on below it, in case the range was too full or refused by
  // mistake.
  expect(plan([{ from, to: half.from }], [state.range])).toMatchObject([{ from, to: half.from }]);
});

test("a first sync requests the silence before the first fill in at most 48 windows; a recheck uses one a week", () => {
  const range = { from: Date.UTC(2015, 0, 1), to: Date.UTC(2026, 0, 1) };
  expect(Math.ceil((range.to - range.from) / silentWidth(range, {}, false))).toBeLessThanOrEqual(48);
  expect(silentWidth(range, {}, true)).toBe(7 * DAY_MS);
  expect(silentWidth(range, { clampSeen: true }, false)).toBe(0);
});

test("a walker that covers every planned window ends with everything covered, from any archive", () => {
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
        expect(rounds).toBeLessThan(400); // more than the range has days
      }
      expect(covers(union([...state.coverage, ...start.failed]), start.range)).toBe(true);
      expect(width(state.coverage)).toBeGreaterThanOrEqual(width(start.coverage));
    }),
    { numRuns: 50 },
  );
});

describe("after a window whose answer is inconclusive", () => {
  const window = { from: 0, to: 1000 };

  test("windows get narrower each time, down to a millisecond", () => {
    const times = fc.tuple(fc.nat(1000), fc.nat(1000));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), times, fc.nat(1000), (to, [a, b], middle) => {
        const windows = narrowerThan({ from: 0, to }, { lowest: Math.min(a, b), highest: Math.max(a, b) }, middle);
        expect(windows.length).toBeGreaterThan(0);
        expect(windows.every((one) => one.from < one.to && one.to - one.from < to)).toBe(true);
      }),
    );
  });

  test("several windows replace one with too many rows for a chain: they fill it, and begin at times of its rows", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1200), { maxLength: 200 }), (times) => {
        const windows = piecesOf(window, times);
        const isDivided = times.some((time) => time > 0 && time < 1000);
        expect(windows.length > 0).toBe(isDivided);
        expect(windows.length).toBeLessThanOrEqual(17);
        expect(isDivided ? union(windows) : [window]).toEqual([window]);
        expect(windows.slice(0, -1).every(({ from }) => times.includes(from))).toBe(true);
      }),
    );
  });
});

describe("without an order", () => {
  const range = { from: 0, to: 400 * DAY_MS };
  const record = (fromDay: number, toDay: number, rows: number): WindowRecord => ({
    ...{ from: fromDay * DAY_MS, to: toDay * DAY_MS, rows, pages: 1, duplicates: 0, ended: "no-last" },
    ...{ pagesHash: "", rawResponses: [], first: null, last: null, setHash: "" },
  });

  function planned(near: readonly WindowRecord[], heard: readonly TimeRange[] = []) {
    const top = Math.min(...near.map(({ from }) => from));
    const silence = heard.reduce<Silence>((one, each) => silentIn(one, each, each), noSilence(false));
    return planRound({
      ...{ range, gaps: [{ from: 0, to: top }], rechecks: [], refused: NOTHING_REFUSED, silence, near, workers: 4 },
      checkpoint: { proven: NOTHING_PROVEN, datesTrusted: true, order: { refuted: true } },
    });
  }

  test("windows grow with the silence right above them, one at a time", () => {
    const [only, ...others] = planned([record(390, 400, 50), record(380, 390, 0), record(375, 380, 0)]);
    expect([only?.to, only?.from, others]).toEqual([375 * DAY_MS, 315 * DAY_MS, []]);
  });

  test("a silent range is requested again unchanged", () => {
    const heard = [{ from: 300 * DAY_MS, to: 375 * DAY_MS }];
    expect(planned([record(375, 400, 900)], heard)[0]).toMatchObject(heard[0] ?? {});
  });
});

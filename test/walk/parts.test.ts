import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Coverage, emptyManifest, type Known } from "../../lambda/archive/manifest.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { type Fill, identityOf } from "../../lambda/core/fill.ts";
import { width } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { PageRow } from "../../lambda/formats/row.ts";
import type { PageAnswer } from "../../lambda/service/service.ts";
import { readChain } from "../../lambda/walk/chain.ts";
import { judge, MARGINS, marginOf } from "../../lambda/walk/judge.ts";
import type { ChainOptions } from "../../lambda/walk/pages.ts";
import { coveredOnce, coveredTwice, type PlanRequest, planReading, windowsOf } from "../../lambda/walk/plan.ts";
import { afterRefusal } from "../../lambda/walk/problems.ts";
import { freshQuestion, Ledger, nextQuestion, type Question } from "../../lambda/walk/question.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";

const BEGIN = NOW - 100 * DAY_MS;
const fills = [0, 10, 20, 30].map((time) => makeFill({ matchId: `m${time}`, txCreated: BEGIN + time * 1000 }));
const QUESTION = freshQuestion({ from: BEGIN, to: BEGIN + 30_000 });
const idOf = (place: number) => identityOf(fills[place] as Fill);

function judged(shown: readonly Fill[], by: Partial<Question>, now = NOW, known: readonly Fill[] = fills) {
  const question = { ...QUESTION, ...by };
  return judge(question, {
    margin: marginOf(question, 0),
    rung: 0,
    now,
    known,
    around: question,
    fills: new Map(shown.map((fill) => [identityOf(fill), fill])),
    isCut: false,
    own: 0,
  });
}

const without = (...places: readonly number[]) => fills.filter((_, place) => !places.includes(place));
/** Asked with every margin, and always without these fills. */
const inVain = (...places: readonly number[]) => ({
  tried: MARGINS.length,
  lacked: new Set(places.map(idOf)),
  margin: DAY_MS,
});

test("an answer that shows them at the same dates contradicts the one before; at wider ones they are asked for from now on", () => {
  const lacked = new Set([idOf(1)]);
  expect(judged(fills, { tried: 1, lacked, margin: 1 })).toMatchObject({ contradicts: true, rung: 0 });
  expect(judged(fills, { tried: 3, lacked, margin: 1000 })).toMatchObject({ contradicts: false, rung: 3 });
  // Nothing is learned from young fills; a whole day only beside silence.
  expect(judged(fills, { tried: 3, lacked, margin: 1000 }, BEGIN + DAY_MS)).toMatchObject({ rung: 0 });
  expect(judged(fills, { tried: 5, lacked, margin: 3_600_000 })).toMatchObject({ rung: 0, skewMs: DAY_MS });
});

describe("fills that stay away with every margin", () => {
  test("have not vanished as long as they are young", () => {
    expect(judged(without(1), inVain(1), BEGIN + DAY_MS)).toEqual({ kind: "failed", lacking: 1 });
  });

  test("are asked for again if each answer lacks others", () => {
    expect(judged(without(1), inVain(2))).toMatchObject({ kind: "again" });
  });

  test("in the finest range: asked for a bounded number of times", () => {
    const [first] = fills as [Fill];
    const finest = { to: BEGIN + 8, ...inVain(0) };
    const askedFor = (tried: number) => judged([], { ...finest, tried }, BEGIN + DAY_MS, [first]);
    expect(askedFor(21)).toEqual({ kind: "failed", lacking: 1 });
    expect(askedFor(9)).toMatchObject({ kind: "again" });
  });
});

test("the next question and the one before it have an end in common: nothing lies between, and there is an end", () => {
  const times = fc.array(fc.nat(1000), { maxLength: 60 });
  const page = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(times, page, fc.integer({ min: 1, max: 400 }), (some, rows, believed) => {
      const known = some.map((time, place) => makeFill({ matchId: `m${place}`, txCreated: BEGIN + time }));
      const ledger = new Ledger({ from: BEGIN, to: NOW }, known, []);
      let rest: TimeRange | null = { from: BEGIN, to: BEGIN + 1000 };
      while (rest !== null) {
        const next: ReturnType<typeof nextQuestion> = nextQuestion(rest, ledger, rows, believed);
        const { from, to } = next.question;
        expect([from, to > from, to]).toEqual([rest.from, true, next.rest?.from ?? rest.to]);
        expect(ledger.anchors({ from, to }) || to - from <= believed).toBe(true);
        rest = next.rest;
      }
    }),
  );
});

test("an hour that is refused: everywhere, or only here", () => {
  const problem = new FillbookError("usage", "the service refused the dates (400)");
  const [hour, refusal] = [{ from: 0, to: HOUR_MS }, { why: "range", detail: "", problem } as const];
  expect(afterRefusal(hour, refusal, false)).toMatchObject({ kind: "usage" });
  const days = { from: -DAY_MS, to: DAY_MS };
  expect(afterRefusal(hour, refusal, false, days)).toMatchObject({ kind: "incomplete" });
  expect(afterRefusal(hour, refusal, true)).toMatchObject({ kind: "incomplete" });
});

test("a fill has few others beside it only where all of them are known", () => {
  const range = { from: NOW - DAY_MS, to: NOW };
  const ends = [range.from, range.to - 10].map((txCreated) => makeFill({ matchId: `m${txCreated}`, txCreated }));
  const ledger = new Ledger(range, ends, []);
  const timeOf = (far: number) => ledger.quietest(far, Number.POSITIVE_INFINITY, 1)?.txCreated;
  expect([10, 11, -1].map(timeOf)).toEqual([range.from, range.from, range.to - 10]);
  expect(ledger.quietest(DAY_MS, range.from, 2)).toBeNull();
  expect(ledger.quietest(DAY_MS + 1, Number.POSITIVE_INFINITY, 2)).toBeNull();
});

const day = (days: number) => NOW - days * DAY_MS;
const range = { from: day(100), to: NOW };
const REQUEST: PlanRequest = { range, lookBackMs: 7 * DAY_MS, alwaysLooksBack: false, again: false, now: NOW };
const KNOWN: Known = {
  ...emptyManifest("main").known,
  lookedBackAt: NOW - DAY_MS,
  lookedBackTo: NOW,
  rotatedAt: NOW - DAY_MS,
};
const read = (from: number, to: number, readings: 1 | 2 = 2): Coverage => ({ from, to, readings, silentIn: null });
const ALL = [read(range.from, range.to)];

test("what was never read comes first; what was read once waits", () => {
  const coverage = [read(day(90), day(50)), read(day(50), day(40), 1), read(day(40), day(30), 1)];
  expect(planReading(coverage, KNOWN, REQUEST).first).toEqual([
    { from: day(100), to: day(90) },
    { from: day(30), to: NOW },
  ]);
  expect(coveredTwice(coverage)).toEqual([{ from: day(90), to: day(50) }]);
  expect(coveredOnce(coverage, range)).toEqual([{ from: day(50), to: day(30) }]);
});

describe("the look-back", () => {
  const again = (known: Partial<Known>, request: Partial<PlanRequest> = {}) =>
    planReading(ALL, { ...KNOWN, ...known }, { ...REQUEST, ...request }).again;

  test("reads the newest days that were read twice, twice a day at most", () => {
    expect(again({})).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: NOW - 11 * HOUR_MS })).toEqual([]);
    expect(again({ lookedBackAt: NOW - 11 * HOUR_MS }, { alwaysLooksBack: true })).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: null })).toEqual([{ from: day(7), to: NOW }]);
    expect(again({ lookedBackAt: NOW + HOUR_MS })).toEqual([{ from: day(7), to: NOW }]); // that clock was ahead
  });

  test("reads those, too, that were new when it was last done: they have not been read since", () => {
    const then = { lookedBackAt: NOW - HOUR_MS, lookedBackTo: day(30) };
    const both = [day(30), NOW].map((to) => ({ from: to - 7 * DAY_MS, to }));
    expect(again(then)).toEqual(both);
    const looksBack = (from: number, to = NOW) =>
      planReading(ALL, { ...KNOWN, ...then }, { ...REQUEST, range: { from, to } }).looksBack;
    expect([looksBack(day(37)), looksBack(day(36)), looksBack(day(100), day(31))]).toEqual([true, false, false]);
  });

  test("or all, if that is asked for", () => {
    expect(again({}, { again: true })).toEqual([range]);
  });
});

describe("the rotation", () => {
  const rotation = (known: Partial<Known>, request: Partial<PlanRequest> = {}) =>
    planReading(ALL, { ...KNOWN, ...known }, { ...REQUEST, ...request }).rotation;

  test("is due once a week, and not in the first one", () => {
    expect(rotation({ rotatedAt: null })).toBeNull();
    expect(rotation({ rotatedAt: NOW - 6 * DAY_MS })).toBeNull();
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS })).not.toBeNull();
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS }, { lookBackMs: 0 })).toBeNull();
    const period = { from: day(60), to: day(30) };
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS }, { range: period })).toBeNull(); // it is the turn of older times
  });

  test("reads all older times in a year, from the newest down, and begins again", () => {
    let rotatedTo: number | null = null;
    const pieces: { from: number; to: number }[] = [];
    for (let week = 0; week < 52; week += 1) {
      const piece = rotation({ rotatedAt: NOW - 7 * DAY_MS, rotatedTo });
      pieces.push(piece ?? { from: 0, to: 0 });
      rotatedTo = piece?.from ?? null;
    }
    expect([pieces[0]?.to, pieces.at(-1)?.from]).toEqual([day(7), day(100)]);
    expect(pieces.slice(1).map(({ to }) => to)).toEqual(pieces.slice(0, -1).map(({ from }) => from));
    expect(width(pieces)).toBe(93 * DAY_MS);
    expect(rotation({ rotatedAt: NOW - 7 * DAY_MS, rotatedTo })?.to).toBe(day(7));
  });
});

test("a range becomes windows of a year at most, the newest first, without gaps", () => {
  const windows = windowsOf({ from: 5, to: 5 + 800 * DAY_MS });
  expect(windows.map(({ from, to }) => Math.round((to - from) / DAY_MS))).toEqual([267, 267, 267]);
  expect([windows[0]?.to, windows.at(-1)?.from]).toEqual([5 + 800 * DAY_MS, 5]);
  expect(windows.slice(1).map(({ to }) => to)).toEqual(windows.slice(0, -1).map(({ from }) => from));
  expect(windowsOf({ from: 0, to: 1 })).toEqual([{ from: 0, to: 1 }]);
});

const CHAIN_BEGIN = NOW - 10_000_000;
const WINDOW = { from: CHAIN_BEGIN, to: CHAIN_BEGIN + 1_000_000 };
const OPTIONS = { asked: WINDOW, full: 3, isOrdered: true, keepsTies: false, now: NOW };

let made = 0;
const fillAt = (time: number) => {
  made += 1;
  return { fill: makeFill({ matchId: `m${made}`, txCreated: CHAIN_BEGIN + time }) };
};

function page(times: readonly number[], last?: string): PageAnswer {
  return { kind: "page", body: "", rows: times.map(fillAt), ...(last === undefined ? {} : { last }) };
}

/** Reads the window from these answers. */
function chain(answers: readonly PageAnswer[], more: Partial<ChainOptions> = {}) {
  const left = [...answers];
  const ask = () => Promise.resolve(left.shift() ?? page([]));
  return readChain(ask, WINDOW, { ...OPTIONS, contradicted: new Set(), ...more });
}

describe("a chain", () => {
  test.each([
    [[1, 2], "up"],
    [[2, 1], "down"],
    [[2, 1, 3], "mixed"],
    [[1, 1], null],
    [[], null],
  ])("%j came %s", async (times, order) => {
    expect((await chain([page(times)])).order).toBe(order);
  });

  test("leaves the rest of its window to others, with the millisecond in which it stopped", async () => {
    const down = [page([90, 80, 70], "a"), page([60, 50, 40], "b")];
    const up = [page([10, 20, 30], "a"), page([30, 40, 50], "b")];
    const endOf = async (pages: readonly PageAnswer[], more = {}) =>
      (await chain(pages, { mostPages: () => pages.length, ...more })).end;
    expect(await endOf(down)).toEqual({ kind: "rest", rest: { from: CHAIN_BEGIN, to: CHAIN_BEGIN + 41 } });
    expect(await endOf(up)).toEqual({ kind: "rest", rest: { from: CHAIN_BEGIN + 50, to: WINDOW.to } });
    expect(await endOf([page([5, 9, 1], "a")])).toEqual({ kind: "whole" });
    expect(await endOf(down, { isOrdered: false })).toEqual({ kind: "whole" });
  });
});

describe("a chain is refused", () => {
  const why = async (...of: Parameters<typeof chain>) => {
    const { end } = await chain(...of);
    return end.kind === "refused" ? end.refusal.why : end.kind;
  };

  test("where cursors go in a circle", async () => {
    expect(await why([page([3, 2, 1], "a"), page([0], "b"), page([3], "a")])).toBe("cursor");
  });

  test("after 64 pages in any order, and not if it is too narrow", async () => {
    const many = Array.from({ length: 80 }, (_, place) => page([place % 2, 5 + place, place], `c${place}`));
    expect(await why(many)).toBe("long");
    expect(await why(many, { readsOn: true })).toBe("whole");
    const inOrder = Array.from({ length: 80 }, (_, place) =>
      page([3 * place, 3 * place + 1, 3 * place + 2], `c${place}`),
    );
    expect(await why(inOrder)).toBe("whole");
  });

  test("after 500 pages in a row that bring nothing but cursors; fewer are progress", async () => {
    const empty = (count: number) => Array.from({ length: count }, (_, place) => page([], `c${place}`));
    expect(await why(empty(600))).toBe("endless");
    expect(await why([...empty(400), page([1])])).toBe("whole");
  });

  test("for a row that cannot be filed, with its page; the rows beside it are kept, and a narrow chain reads on", async () => {
    const bad: PageAnswer = { kind: "page", body: "the body", rows: [fillAt(1), { unfilable: "why" }], last: "a" };
    const stopped = await chain([bad, page([0])]);
    const refusal = { why: "row", body: "the body", detail: "page 1, row 2: why" };
    expect(stopped).toMatchObject({ pages: 1, end: { kind: "refused", refusal } });
    expect(stopped.fills.size).toBe(1);
    expect(await chain([bad, page([0])], { readsOn: true })).toMatchObject({ pages: 2, end: { refusal } });
    const limited = { readsOn: true, mostPages: () => 1 };
    expect(await chain([bad, page([0], ""), page([], "")], limited)).toMatchObject({ pages: 3, end: { refusal } });
  });

  test.each<[string, Partial<Fill>, string, string]>([
    ["another fee", { fee: "50" }, "row", "whole"],
    ["another hash and no fee", { transactionHash: "0x2", fee: null }, "row", "whole"],
    ["another quantity", { quantity: "7" }, "row", "row"],
    ["fewer fields", { filledAt: null, quantity: null }, "whole", "whole"],
  ])("for two rows of one identity, of which nobody knows the newer: %s", async (_, more, beside, behind) => {
    const one = fillAt(1);
    const other = { fill: makeFill({ ...one.fill, ...more }) };
    const of = (...rows: readonly PageRow[]) => ({ kind: "page", body: "", rows }) as const;
    expect(await why([of(one, other, one)], { full: 4 })).toBe(beside);
    expect(await why([{ ...of(one), last: "a" }, of(other)])).toBe(behind);
  });
});

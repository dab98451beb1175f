import { describe, expect, test } from "vitest";
import { type Fill, identityOf } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { judge, MARGINS, marginOf } from "../../lambda/walk/judge.ts";
import { freshQuestion, type Question } from "../../lambda/walk/question.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";

const BEGIN = NOW - 100 * DAY_MS;
const fills = [0, 10, 20, 30].map((time) => makeFill({ matchId: `m${time}`, txCreated: BEGIN + time * 1000 }));
const QUESTION = freshQuestion({ from: BEGIN, to: BEGIN + 30_000 });
const idOf = (place: number) => identityOf(fills[place] as Fill);

function judged(
  shown: readonly Fill[],
  by: Partial<Question> = {},
  more: { isCut?: boolean; rung?: number; now?: number } = {},
) {
  const { rung = 0, now = NOW, isCut = false } = more;
  const hasNew = shown.some((fill) => !fills.includes(fill));
  const question = { ...QUESTION, ...by };
  return judge(question, {
    margin: marginOf(question, rung),
    rung,
    now,
    known: fills,
    around: question,
    fills: new Map(shown.map((fill) => [identityOf(fill), fill])),
    isCut,
    hasNew,
  });
}

const without = (...places: readonly number[]) => fills.filter((_, place) => !places.includes(place));
/** Asked with every margin, and always without these fills. */
const inVain = (...places: readonly number[]) => ({
  tried: MARGINS.length,
  lacked: new Set(places.map(idOf)),
  margin: DAY_MS,
});

describe("an answer", () => {
  test("that shows both ends, all between and no other counts", () => {
    expect(judged(fills)).toEqual({ kind: "counts", contradicts: false, skewMs: 0, rung: 0 });
  });

  test("with a fill that was not known is asked for again", () => {
    const more = [...fills, makeFill({ matchId: "new", txCreated: BEGIN + 5 })];
    expect(judged(more)).toEqual({ kind: "again", questions: [QUESTION] });
  });

  test("that may be cut is asked for in halves, cut at a known fill; the finest with other dates, at last in vain", () => {
    const again = judged(without(3), {}, { isCut: true });
    const halves = [
      { from: QUESTION.from, to: BEGIN + 20_000 },
      { from: BEGIN + 20_000, to: QUESTION.to },
    ];
    expect(again).toEqual({ kind: "again", questions: halves.map(freshQuestion) });
    const finest = { to: QUESTION.from + 8 };
    expect(judged(fills, finest, { isCut: true })).toMatchObject({ kind: "again", questions: [{ tried: 1 }] });
    const tried = MARGINS.length;
    expect(judged(fills, { ...finest, tried }, { isCut: true })).toEqual({ kind: "failed", lacking: 0 });
  });

  test("is remembered by how many fills it showed: one to wider dates may not show fewer", () => {
    const finest = { to: QUESTION.from + 8, shown: 2 };
    const verdict = judged(fills, finest, { isCut: true });
    expect(verdict).toMatchObject({ kind: "again", questions: [{ shown: fills.length }] });
    expect(judged([], finest)).toMatchObject({ kind: "again", questions: [{ shown: 2 }] });
  });

  test("that lacks known fills is asked for once more as it was, then with wider and wider dates", () => {
    const margins: number[] = [];
    let question: Question = QUESTION;
    for (const _ of MARGINS) {
      margins.push(marginOf(question, 0));
      const verdict = judged(without(1, 2), question);
      expect(verdict.kind).toBe("again");
      [question] = (verdict.kind === "again" ? verdict.questions : []) as readonly [Question];
    }
    expect(margins).toEqual(MARGINS);
    expect(question.lacked).toEqual(new Set([idOf(1), idOf(2)]));
    expect(marginOf(QUESTION, 4)).toBe(MARGINS[4]);
  });

  test("that shows them at the same dates contradicts the one before; at wider ones they are asked for from now on", () => {
    const lacked = new Set([idOf(1)]);
    expect(judged(fills, { tried: 1, lacked, margin: 1 })).toEqual({
      kind: "counts",
      contradicts: true,
      skewMs: 0,
      rung: 0,
    });
    expect(judged(fills, { tried: 3, lacked, margin: 1000 })).toEqual({
      kind: "counts",
      contradicts: false,
      skewMs: 0,
      rung: 3,
    });
    // Nothing is learned from young fills; a whole day only beside silence.
    expect(judged(fills, { tried: 3, lacked, margin: 1000 }, { now: BEGIN + DAY_MS })).toMatchObject({ rung: 0 });
    expect(judged(fills, { tried: 5, lacked, margin: 3_600_000 })).toMatchObject({ rung: 0, skewMs: DAY_MS });
  });
});

describe("fills that stay away with every margin", () => {
  test("have vanished, if those around them are shown", () => {
    const verdict = judged(without(1), inVain(1));
    expect(verdict).toEqual({ kind: "vanished", identities: [idOf(1)], question: QUESTION });
  });

  test("have not vanished as long as they are young", () => {
    expect(judged(without(1), inVain(1), { now: BEGIN + DAY_MS })).toEqual({ kind: "failed", lacking: 1 });
  });

  test("at an end may have been cut off: the range is halved", () => {
    const verdict = judged(without(2, 3), inVain(2, 3));
    expect(verdict).toMatchObject({
      kind: "again",
      questions: [
        { tried: 1, lacked: null },
        { tried: 1, lacked: null },
      ],
    });
  });

  test("are asked for again if each answer lacks others", () => {
    expect(judged(without(1), inVain(2))).toMatchObject({ kind: "again" });
  });

  test("in the finest range: asked for a bounded number of times", () => {
    const [first] = fills as [Fill];
    const finest = { from: BEGIN, to: BEGIN + 8, ...inVain(0), tried: 21 };
    const question = { ...QUESTION, ...finest };
    const asked = { margin: DAY_MS, rung: 0, now: BEGIN + DAY_MS, around: question };
    const answer = { ...asked, known: [first], fills: new Map<string, Fill>(), isCut: false, hasNew: false };
    expect(judge(question, answer)).toEqual({ kind: "failed", lacking: 1 });
    expect(judge({ ...question, tried: 9 }, answer)).toMatchObject({ kind: "again" });
  });
});

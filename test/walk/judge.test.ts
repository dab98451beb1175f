import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { type Fill, identityOf } from "../../lambda/core/fill.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../lambda/core/time.ts";
import { judge, MARGINS, marginOf } from "../../lambda/walk/judge.ts";
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
    hasNew: false,
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
  test("that shows them at the same dates contradicts the one before; at wider ones they are asked for from now on", () => {
    const lacked = new Set([idOf(1)]);
    expect(judged(fills, { tried: 1, lacked, margin: 1 })).toMatchObject({ contradicts: true, rung: 0 });
    expect(judged(fills, { tried: 3, lacked, margin: 1000 })).toMatchObject({ contradicts: false, rung: 3 });
    // Nothing is learned from young fills; a whole day only beside silence.
    expect(judged(fills, { tried: 3, lacked, margin: 1000 }, BEGIN + DAY_MS)).toMatchObject({ rung: 0 });
    expect(judged(fills, { tried: 5, lacked, margin: 3_600_000 })).toMatchObject({ rung: 0, skewMs: DAY_MS });
  });
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
  expect(afterRefusal(hour, refusal, 0)).toMatchObject({ kind: "stop", problem: { kind: "usage" } });
  const days = { from: -DAY_MS, to: DAY_MS };
  expect(afterRefusal(hour, refusal, 0, days)).toMatchObject({ kind: "failed", problem: { kind: "incomplete" } });
  expect(afterRefusal(hour, refusal, 1)).toMatchObject({ kind: "failed", problem: { kind: "incomplete" } });
});

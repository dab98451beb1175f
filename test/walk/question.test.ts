import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identityOf } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { believedAt, Ledger, nextQuestion, WIDTHS } from "../../lambda/walk/question.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";

const BEGIN = NOW - 100 * DAY_MS;

function ledgerOf(...times: readonly number[]): Ledger {
  return new Ledger(
    { from: BEGIN, to: NOW },
    times.map((time, place) => makeFill({ matchId: `m${place}`, txCreated: BEGIN + time })),
    [],
  );
}

/** All questions of a range, as they are cut off one after the other. */
function questionsOf(range: { from: number; to: number }, ledger: Ledger, page: number, believed: number) {
  const questions: { from: number; to: number }[] = [];
  for (let rest: { from: number; to: number } | null = range; rest !== null; ) {
    const next: ReturnType<typeof nextQuestion> = nextQuestion(rest, ledger, page, believed);
    questions.push({ from: next.question.from - BEGIN, to: next.question.to - BEGIN });
    rest = next.rest;
  }
  return questions;
}

describe("the next question", () => {
  const range = { from: BEGIN, to: BEGIN + 100 };

  test("reaches three quarters of a page further on, from a known fill to a known fill", () => {
    const ledger = ledgerOf(...Array.from({ length: 21 }, (_, place) => place * 5));
    expect(questionsOf(range, ledger, 8, 1000)).toEqual([
      { from: 0, to: 30 },
      { from: 30, to: 60 },
      { from: 60, to: 90 },
      { from: 90, to: 100 },
    ]);
  });

  test("is no wider than silence is believed where a known fill lacks at one of its ends", () => {
    expect(questionsOf(range, ledgerOf(), 100, 40)).toEqual([
      { from: 0, to: 40 },
      { from: 40, to: 80 },
      { from: 80, to: 100 },
    ]);
    expect(questionsOf(range, ledgerOf(20, 25), 100, 40)[0]).toEqual({ from: 0, to: 20 });
  });

  test("may be wider between two known fills", () => {
    expect(questionsOf(range, ledgerOf(0, 100), 100, 40)).toEqual([{ from: 0, to: 100 }]);
  });

  test("and the one before it have an end in common: nothing lies between, and there is an end", () => {
    const times = fc.array(fc.nat(1000), { maxLength: 60 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 }), (some, page, believed) => {
        const questions = questionsOf({ from: BEGIN, to: BEGIN + 1000 }, ledgerOf(...some), page, believed);
        expect([questions[0]?.from, questions.at(-1)?.to]).toEqual([0, 1000]);
        for (const [place, { from, to }] of questions.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(questions[place + 1]?.from ?? to).toBe(to);
          const isAnchored = some.includes(from) && some.includes(to);
          expect(isAnchored || to - from <= believed).toBe(true);
        }
      }),
    );
  });
});

test("silence is believed as wide as it was measured, and never wider than 6.5 days, or 28 more than three years ago", () => {
  const old = NOW - 4 * 365 * DAY_MS;
  expect(WIDTHS.map((width) => width / DAY_MS)).toEqual([28, 6.5, 2.9, 0.95, 0.2]);
  expect([believedAt(NOW, null, NOW), believedAt(old, null, NOW)]).toEqual([6.5 * DAY_MS, 28 * DAY_MS]);
  expect([believedAt(NOW, 2.9 * DAY_MS, NOW), believedAt(old, 2.9 * DAY_MS, NOW)]).toEqual([
    2.9 * DAY_MS,
    2.9 * DAY_MS,
  ]);
});

test("the known fills: in order, both ends included, without those that have vanished; the newest version counts", () => {
  const [early, middle, late] = [1, 2, 3].map((time) => makeFill({ matchId: `m${time}`, txCreated: BEGIN + time }));
  const ledger = new Ledger(
    { from: BEGIN, to: NOW },
    [late, early, middle].flatMap((fill) => fill ?? []),
    [],
  );
  const within = (from: number, to: number) =>
    ledger.within({ from: BEGIN + from, to: BEGIN + to }).map(({ txCreated }) => txCreated - BEGIN);
  expect([within(1, 3), within(2, 2), within(4, 9)]).toEqual([[1, 2, 3], [2], []]);
  expect([ledger.has(BEGIN + 2), ledger.has(BEGIN)]).toEqual([true, false]);
  ledger.forget([identityOf({ matchId: "m2", orderId: middle?.orderId ?? "" })]);
  expect(within(1, 3)).toEqual([1, 3]);
  const moved = makeFill({ matchId: "m1", txCreated: BEGIN + 9 });
  const news = ledger.take(new Map([[identityOf(moved), moved]]), { from: BEGIN, to: BEGIN + 9 });
  expect(news).toMatchObject({ fills: [moved], moved: [{ matchId: "m1" }], isOwn: false });
  expect(within(0, 9)).toEqual([3, 9]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { Ledger, nextQuestion } from "../../lambda/walk/question.ts";
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

test("a fill has few others beside it only where all of them are known", () => {
  const ledger = ledgerOf(0, NOW - BEGIN - 10);
  const timesOf = (far: number) => ledger.quietest(far, Number.POSITIVE_INFINITY, 1)?.txCreated;
  expect([10, 11, -1].map(timesOf)).toEqual([BEGIN, BEGIN, NOW - 10]);
  expect(ledger.quietest(NOW - BEGIN, BEGIN, 1)).toBeNull();
  expect(ledger.quietest(NOW - BEGIN + 1, Number.POSITIVE_INFINITY, 2)).toBeNull();
});

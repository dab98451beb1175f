import { expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { Ledger } from "../../lambda/walk/question.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";

test("a fill has few others beside it only where all of them are known", () => {
  const range = { from: NOW - DAY_MS, to: NOW };
  const ends = [range.from, range.to - 10].map((txCreated) => makeFill({ matchId: `m${txCreated}`, txCreated }));
  const ledger = new Ledger(range, ends, []);
  const timeOf = (far: number) => ledger.quietest(far, Number.POSITIVE_INFINITY, 1)?.txCreated;
  expect([10, 11, -1].map(timeOf)).toEqual([range.from, range.from, range.to - 10]);
  expect(ledger.quietest(DAY_MS, range.from, 2)).toBeNull();
  expect(ledger.quietest(DAY_MS + 1, Number.POSITIVE_INFINITY, 2)).toBeNull();
});

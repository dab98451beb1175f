import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTime } from "../../../lambda/core/period.ts";
import { HOUR_MS } from "../../../lambda/core/time.ts";
import { type AccountTransfer, LONGEST_WAY_MS, matchTransfers } from "../../../lambda/pack/tables/match-transfers.ts";
import { exactly } from "../../support/amounts.ts";

let line = 1;
function transfer(account: string, time: number, amount: string, currency = "USD"): AccountTransfer {
  line += 1;
  return { account, time, amount: exactly(amount), currency, note: "", line };
}

const DRAWN = fc.array(
  fc.record({
    account: fc.constantFrom("a", "b", "c"),
    time: fc.integer({ min: 0, max: 20 }).map((half) => half * 12 * HOUR_MS),
    amount: fc.constantFrom("-2", "-1", "1", "2").map(exactly),
    currency: fc.constantFrom("USD", "EUR"),
    note: fc.constant(""),
    line: fc.nat(1000),
  }),
  { maxLength: 30 },
);

describe("transfers between accounts", () => {
  test("are found with any number of lines of the same amount between: own ones, and others already matched", () => {
    const own = Array.from({ length: 50 }, (_, at) => transfer("a", at + 1, "5"));
    const [out] = matchTransfers([transfer("a", 0, "-5"), ...own, transfer("b", HOUR_MS, "5")]);
    expect(out).toMatchObject({ other: { account: "b" }, candidates: 1 });
    // All go out within one minute, and come in within one minute an hour later.
    const burst = (account: string, from: number, amount: string) =>
      Array.from({ length: 20_000 }, (_, at) => transfer(account, from + at, amount));
    const moved = matchTransfers([...burst("a", 0, "-5"), ...burst("b", HOUR_MS, "5")]);
    expect(moved.filter(({ other }) => other === null)).toEqual([]);
  });

  test("may be two dates of a file with a change of the clocks between them: 49 hours in New York", () => {
    const day = (text: string) => parseTime(text, "America/New_York");
    const [out] = matchTransfers([transfer("a", day("2025-11-01"), "-5"), transfer("b", day("2025-11-03"), "5")]);
    expect(out?.other?.account).toBe("b");
  });

  test("equal a search through all earlier lines, latest first, and every fitting line is counted", () => {
    fc.assert(
      fc.property(DRAWN, (drawn) => {
        const all = drawn.map((one, at) => ({ ...one, line: at }));
        const fits = (a: AccountTransfer, b: AccountTransfer) =>
          a.amount.eq(b.amount.neg()) &&
          a.currency === b.currency &&
          a.account !== b.account &&
          Math.abs(a.time - b.time) <= LONGEST_WAY_MS;
        const inOrder = all.toSorted(
          (a, b) => a.time - b.time || a.account.localeCompare(b.account) || a.line - b.line,
        );
        const expected = new Map<number, number>();
        for (const [at, one] of inOrder.entries()) {
          const free = inOrder.slice(0, at).filter((other) => !expected.has(other.line) && fits(one, other));
          const latest = Math.max(...free.map(({ time }) => time));
          const ofLatest = free.filter(({ time }) => time === latest);
          const last = ofLatest.filter(({ account }) => account === ofLatest[0]?.account).at(-1);
          if (last !== undefined) {
            expected.set(one.line, last.line).set(last.line, one.line);
          }
        }
        for (const one of matchTransfers(all)) {
          expect(one.other?.line).toBe(expected.get(one.line));
          expect(one.candidates).toBe(all.filter((other) => fits(one, other)).length);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { apply, type Finding, findingsOfAnswer, findingsOfPage, type Knowledge } from "../../lambda/walk/knowledge.ts";
import { answerOf } from "../../lambda/walk/outcome.ts";
import { askedBy, freshWindow, MARGIN_MS } from "../../lambda/walk/window.ts";

const NOTHING: Knowledge = emptyManifest("main").checkpoint;
const range = (fromDay: number, toDay: number) => askedBy(freshWindow({ from: fromDay * DAY_MS, to: toDay * DAY_MS }));
const days = (count: number) => count * DAY_MS + 2 * MARGIN_MS;

function knownAfter(...findings: readonly Finding[]): Knowledge {
  return findings.reduce(apply, NOTHING);
}

describe("what is known", () => {
  const rows = fc.integer({ min: 1, max: 9000 });
  const width = fc.integer({ min: 0, max: 400 * DAY_MS });
  const finding: fc.Arbitrary<Finding> = fc.oneof(
    fc.record({ kind: fc.constant("page-followed" as const), rows }),
    fc.record({ kind: fc.constant("rows-delivered" as const), rows, sent: rows }),
    fc.record({
      kind: fc.constant("width-answered" as const),
      proven: fc.record({ keepingEnd: width, keepingBeginning: width }),
    }),
    fc.constantFrom<Finding>(
      { kind: "clamp" },
      { kind: "false-end" },
      { kind: "dates-by-txCreated" },
      { kind: "dates-by-another-time" },
      { kind: "row-from-elsewhere" },
      { kind: "cursors-keep-dates" },
    ),
  );

  test("does not depend on the order in which it was found, nor on how often", () => {
    const drawn = fc.array(finding, { maxLength: 12 });
    fc.assert(
      fc.property(
        drawn.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(knownAfter(...shuffled, ...all)).toEqual(knownAfter(...all));
        },
      ),
    );
  });

  test("is the most that was delivered, and how many rows the pages had that were followed", () => {
    const known = knownAfter(
      { kind: "rows-delivered", rows: 5, sent: 5 },
      { kind: "rows-delivered", rows: 3, sent: 9 },
      { kind: "page-followed", rows: 100 },
      { kind: "page-followed", rows: 100 },
    );
    expect(known).toMatchObject({ mostRows: 5, mostSent: 9, shortestPage: 100 });
  });

  test("that any page may be followed, once such pages differ in size", () => {
    const known = knownAfter({ kind: "page-followed", rows: 100 }, { kind: "page-followed", rows: 40 });
    expect(known.shortestPage).toBe(1);
  });
});

describe("what refusals of dates show", () => {
  const wide = knownAfter({ kind: "range-refused", range: range(0, 60) });
  const narrower = apply(wide, { kind: "range-refused", range: range(30, 60) });
  const taken = apply(narrower, { kind: "range-taken", range: range(45, 60) });

  test("the narrowest range that is too wide, and the widest that is taken", () => {
    expect(wide.limits).toEqual({ refusedMs: days(60), acceptedMs: 0 });
    expect(narrower.limits?.refusedMs).toBe(days(30));
    expect(taken.limits).toEqual({ refusedMs: days(30), acceptedMs: days(15) });
  });
});

describe("what is found", () => {
  const window = {
    ...freshWindow({ from: 0, to: DAY_MS }),
    pages: 1,
    lowest: 10,
    highest: DAY_MS - 10,
    rows: 7,
    duplicates: 2,
  };

  test("of a page: that it was taken, and followed where it has rows and a cursor", () => {
    expect(findingsOfPage(window, 7)).toEqual([{ kind: "range-taken", range: askedBy(window) }]);
    expect(findingsOfPage({ ...window, cursor: "c" }, 0)).toHaveLength(1);
    expect(findingsOfPage({ ...window, cursor: "c", pages: 2 }, 7)).toEqual([{ kind: "page-followed", rows: 7 }]);
  });

  test("of an answer: its rows, and its width unless it came by cursors that may forget the dates", () => {
    const proven = { keepingEnd: DAY_MS + MARGIN_MS - 10, keepingBeginning: DAY_MS - 10 + MARGIN_MS };
    const found = [
      { kind: "rows-delivered", rows: 7, sent: 9 },
      { kind: "width-answered", proven },
    ];
    expect(findingsOfAnswer(answerOf(window, "no-last"), NOTHING)).toEqual(found);
    const byCursor = answerOf({ ...window, pages: 2 }, "no-last");
    expect(findingsOfAnswer(byCursor, NOTHING)).toEqual(found.slice(0, 1));
    expect(findingsOfAnswer(byCursor, { ...NOTHING, cursorsProven: true })).toEqual(found);
  });
});

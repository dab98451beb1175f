import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { apply, type Finding, type Knowledge } from "../../lambda/walk/knowledge.ts";

const NOTHING: Knowledge = emptyManifest("main").checkpoint;

function knownAfter(...findings: readonly Finding[]): Knowledge {
  return findings.reduce(apply, NOTHING);
}

describe("knowledge of the service", () => {
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

  test("does not depend on the order of the findings, nor on their number", () => {
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

  test("tells that any page may be followed by another, once such pages differ in size", () => {
    const known = knownAfter({ kind: "page-followed", rows: 100 }, { kind: "page-followed", rows: 40 });
    expect(known.shortestPage).toBe(1);
  });
});

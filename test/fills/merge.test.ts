import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentOf, type Fill } from "../../lambda/core/fill.ts";
import type { FillFields, PlainFill } from "../../lambda/core/plain-fill.ts";
import { withNote } from "../../lambda/core/versions.ts";
import { type Merged, mergeFills } from "../../lambda/fills/merge.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeFill } from "../support/make-fill.ts";
import { plainMerge } from "./plain-merge.ts";

/** row.ts refuses ids with NUL. */
const filable = arbitraryFill.filter(({ matchId, orderId }) => !`${matchId}${orderId}`.includes("\0"));

/** Few identities and few values, so that repeats, changes and enrichments are common. */
const version: fc.Arbitrary<PlainFill> = fc
  .record({
    matchId: fc.constantFrom("m1", "m2"),
    orderId: fc.constantFrom("o1", "o2"),
    filledAt: fc.constantFrom(null, 5),
    fee: fc.constantFrom("1", "2"),
    triggerPrice: fc.constantFrom(null, "0"),
    extra: fc.constantFrom(null, { note: "a" }, { other: 1 }),
  })
  .map((fields) => makeFill({ ...fields, txCreated: fields.matchId === "m1" ? 1000 : 2000 }));

function contents({ fills }: Merged): string[] {
  return fills.map(contentOf);
}

/** Versions whose times change, in any order. The time is not part of the identity. */
const moving = fc.array(
  fc.tuple(version, fc.constantFrom(1000, 1000, 1001, 2000)).map(([fill, txCreated]) => ({ ...fill, txCreated })),
  { maxLength: 12 },
);
/** Many fills in a few milliseconds; some of them occur twice. */
const crowd = fc.array(
  fc
    .record({
      matchId: fc.integer({ max: 40, min: 1 }).map((number) => `m${number}`),
      orderId: fc.constantFrom("o1", "o1", "o1", "o2"),
      txCreated: fc.integer({ min: 1, max: 4 }),
      fee: fc.constantFrom("1", "1", "1", "2"),
    })
    .map(makeFill),
  { maxLength: 120 },
);

describe("gives the same as plainMerge", () => {
  test.each([
    ["versions of few fills", moving],
    ["crowds", crowd],
    ["any fills", fc.array(filable)],
  ])("%s, batch after batch: fills, added fills and restatements, in the same order", (_, batch) => {
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 4 }), (batches) => {
        let held: readonly Fill[] = [];
        let expected: readonly Fill[] = [];
        for (const incoming of batches) {
          const [merged, plain] = [mergeFills(held, incoming), plainMerge(expected, incoming)];
          expect(merged).toEqual(plain);
          [held, expected] = [merged.fills, plain.fills];
        }
      }),
    );
  });

  test("rows of several chains, with earlier rows repeated: no fill is copied", () => {
    fc.assert(
      fc.property(crowd, crowd, (first, second) => {
        const { fills } = mergeFills([], first);
        const merged = mergeFills(fills, [...fills, ...second.toReversed()]);
        expect(merged).toEqual(plainMerge(fills, [...fills, ...second.toReversed()]));
        const given = new Set([...fills, ...second, ...merged.restated.map(({ after }) => after)]);
        expect(merged.fills.every((fill) => given.has(fill))).toBe(true);
      }),
    );
  });
});

describe("versions that come in one answer", () => {
  const [one, other, third] = ["1", "2", "3"].map((fee) => makeFill({ fee })) as [PlainFill, PlainFill, PlainFill];
  const both = withNote(one, [one, other]);

  test.each<[string, Fill, Fill]>([
    ["the first", one, both],
    ["the other", other, withNote(other, [one, other])],
  ])("%s is held: it stays current, and notes the other version from then on", (_, held, noted) => {
    const merged = mergeFills([held], [both, both]);
    expect(merged.fills).toEqual([noted]);
    expect(merged.restated).toEqual([{ kind: "enriched", before: held, after: noted }]);
    for (const again of [[both], [one], [other], [other, both, one], [withNote(other, [one])]]) {
      expect(mergeFills([noted], again)).toEqual({ fills: [noted], added: [], restated: [] });
    }
  });

  test("of a new fill: the first is current", () => {
    const merged = mergeFills([third], [both]);
    expect(merged.fills).toEqual([both]);
    expect(merged.restated).toMatchObject([{ kind: "changed" }]);
  });

  test("a later version with other values is a change, and one with more fields enriches", () => {
    expect(mergeFills([both], [third])).toMatchObject({ fills: [third], restated: [{ kind: "changed" }] });
    const older = mergeFills([], [withNote({ ...one, filledAt: null }, [{ ...other, filledAt: null }])]).fills;
    expect(mergeFills(older, [one])).toMatchObject({ fills: [both], restated: [{ kind: "enriched" }] });
  });

  test("on several pages, always in the same order: the later is current, and nothing changes", () => {
    expect(mergeFills([other], [one, other])).toEqual({ fills: [other], added: [], restated: [] });
    expect(mergeFills([one], [one, other])).toMatchObject({ fills: [other], restated: [{ kind: "changed" }] });
  });
});

describe("two versions of one fill", () => {
  test("enrichments by different fields commute", () => {
    const known: Fill = makeFill({ filledAt: null, triggerType: null, transactionHash: null, extra: null });
    const additions = fc.subarray<Partial<FillFields>>(
      [{ filledAt: 9 }, { triggerType: "none" }, { transactionHash: "0x1" }, { extra: { a: 1 } }, { extra: { b: 2 } }],
      { minLength: 2 },
    );
    fc.assert(
      fc.property(additions, (some) => {
        const rows = some.map((fields) => ({ ...known, ...fields }));
        const [there, back] = [mergeFills([known], rows), mergeFills([known], rows.toReversed())];
        expect(contents(there)).toEqual(contents(back));
        expect(there.restated.every(({ kind }) => kind === "enriched")).toBe(true);
        expect(there.fills[0]).toMatchObject(Object.assign({}, ...some.map(({ extra: _, ...rest }) => rest)));
      }),
    );
  });

  test.each<[string, Partial<FillFields>]>([
    ["an amount", { fee: "-1.3" }],
    ["how an amount is written", { fee: "-1.20" }],
    ["its time", { filledAt: 8 }],
    ["an unknown field", { extra: { note: "b" } }],
  ])("%s changed: both versions are kept, and the newer is current", (_, fields) => {
    const before = makeFill({ filledAt: 7, fee: "-1.2", extra: { note: "a" } });
    const after = { ...before, ...fields };
    const merged = mergeFills([before], [after]);
    expect(merged.restated).toEqual([{ kind: "changed", before, after }]);
    expect(merged.fills).toEqual([after]);
  });

  test("a field with an unexpected type is not missing: its raw value is current", () => {
    const before = makeFill({ fee: "1" });
    const raw = makeFill({ fee: null, extra: { fees: [1] } });
    expect(mergeFills([before], [raw]).fills).toEqual([raw]);
    expect(mergeFills([before], [raw]).restated).toMatchObject([{ kind: "changed" }]);
  });
});

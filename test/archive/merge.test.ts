import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeFills } from "../../lambda/archive/merge.ts";
import { byTxCreated, type Fill, identityOf } from "../../lambda/core/fill.ts";
import { fillOfRow } from "../../lambda/formats/row.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";

const fill = (fields: Partial<FillFields> = {}) => makeFill({ filledAt: null, ...fields });

describe("a newer version", () => {
  test("with equal content changes nothing", () => {
    expect(mergeFills([[fill()], [fill()]])).toEqual({ fills: [fill()], added: [], restated: [] });
  });

  test("with more fields enriches the one before", () => {
    const after = fill({ filledAt: fill().txCreated + 5, extra: { note: "x" } });
    const restated = [{ kind: "enriched", before: fill(), after }];
    expect(mergeFills([[fill()], [after]])).toEqual({ fills: [after], added: [], restated });
  });

  test("with fewer fields, or null in their place, says nothing else: what is known stays", () => {
    const before = fill({ filledAt: fill().txCreated + 5 });
    expect(mergeFills([[before], [fill()]])).toEqual({ fills: [before], added: [], restated: [] });
    const nulled = fillOfRow(fill().row.replace("{", '{"filledAt":null,'));
    expect(mergeFills([[before], [nulled]])).toMatchObject({ fills: [before], restated: [] });
  });

  test.each<[string, Partial<FillFields>]>([
    ["another amount", { fee: "9" }],
    ["the same amount, written otherwise", { fee: "-1.20" }],
    ["another time", { txCreated: fill().txCreated + 1 }],
    ["an unknown field's other value", { extra: { note: "b" } }],
  ])("with %s changes it; both are kept", (_, fields) => {
    const [before, after] = [fill({ extra: { note: "a" } }), fill({ extra: { note: "a" }, ...fields })];
    const restated = [{ kind: "changed", before, after }];
    expect(mergeFills([[before], [after]])).toEqual({ fills: [after], added: [], restated });
  });

  test("that is as the first one was: a fill that ends as it began was not restated", () => {
    expect(mergeFills([[fill()], [fill({ fee: "9" })], [fill()]])).toEqual({
      fills: [fill()],
      added: [],
      restated: [],
    });
    const steps = mergeFills([[fill()], [fill({ fee: "9" })], [fill({ fee: "8" })]]);
    expect(steps.restated.map(({ after }) => after.fee)).toEqual(["9", "8"]);
  });
});

const layers = fc.array(fc.array(arbitraryFill, { maxLength: 5 }), { maxLength: 4 });

test("each identity once, in order; what only the last layer has is new; merging again changes nothing", () => {
  fc.assert(
    fc.property(layers, (drawn) => {
      const { fills, added } = mergeFills(drawn);
      expect(fills).toEqual(fills.toSorted(byTxCreated));
      expect(fills.map(identityOf).sort()).toEqual([...new Set(drawn.flat().map(identityOf))].sort());
      const before = new Set(drawn.slice(0, -1).flat().map(identityOf));
      expect(added.map(identityOf).sort()).toEqual(
        [...new Set((drawn.at(-1) ?? []).map(identityOf))].filter((one) => !before.has(one)).sort(),
      );
      expect(mergeFills([fills, fills])).toEqual({ fills, added: [], restated: [] });
      expect(fills.every(({ row }) => drawn.flat().some((one: Fill) => one.row === row))).toBe(true);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { PackedFill } from "../../../lambda/core/fast/packed-fill.ts";
import { contentOf, type Fill, identityOf, isSameContent, plainFill } from "../../../lambda/core/fill.ts";
import { canonicalJson } from "../../../lambda/formats/json.ts";
import { packableFill, packedFills } from "../../support/usual-page.ts";

const fills = fc.array(packableFill, { maxLength: 6 });

test("a packed fill has all fields of the fill, and the same content", () => {
  fc.assert(
    fc.property(fills, (list) => {
      const packed = packedFills(list);
      expect(packed.map(plainFill)).toEqual(list);
      expect(packed.map(contentOf)).toEqual(list.map(contentOf));
      expect(packed.map(identityOf)).toEqual(list.map(identityOf));
      for (const [place, fill] of list.entries()) {
        expect(packed.map((one) => isSameContent(one, fill))).toEqual(list.map((one) => isSameContent(one, fill)));
        expect(isSameContent(packed[place] as PackedFill, fill)).toBe(true);
      }
    }),
  );
});

test("canonical JSON refuses a packed fill, instead of writing it without properties", () => {
  const [packed] = packedFills(fc.sample(packableFill, { seed: 1, numRuns: 1 }));
  expect(() => canonicalJson({ after: packed })).toThrow("not a JSON value: PackedFill");
});

test("a spread copy of a packed fill is empty, and the compiler refuses it as a fill", () => {
  const [packed] = packedFills(fc.sample(packableFill, { seed: 1, numRuns: 1 })) as readonly Fill[] as [Fill];
  // @ts-expect-error: it may be packed
  const copy: Fill = { ...packed, extra: null };
  expect(copy).toEqual({ extra: null });
  const plain: Fill = { ...plainFill(packed), extra: null };
  expect(plain.matchId).toBe(packed.matchId);
});

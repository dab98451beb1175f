import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOf, type Fill, isSameContent } from "../../lambda/core/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeFill } from "../support/make-fill.ts";

/** Two fills that differ in some fields, or in none. */
const pair = fc
  .tuple(arbitraryFill, arbitraryFill)
  .chain(([one, other]) =>
    fc
      .subarray(Object.keys(one) as (keyof Fill)[])
      .map((fields) => [
        one,
        { ...structuredClone(one), ...Object.fromEntries(fields.map((name) => [name, other[name]])) },
      ]),
  ) as fc.Arbitrary<[Fill, Fill]>;

test("two contents are the same exactly if their texts are", () => {
  fc.assert(
    fc.property(pair, ([one, other]) => {
      expect(isSameContent(one, other)).toBe(contentOf(one) === contentOf(other));
    }),
  );
});

test.each(Object.keys(makeFill()))("a different %s is a different content", (name) => {
  const fill = makeFill({ extra: { a: 1 } });
  expect(isSameContent(fill, { ...fill })).toBe(true);
  expect(
    isSameContent(fill, { ...fill, [name]: typeof fill[name as keyof Fill] === "number" ? 3 : { other: 1 } }),
  ).toBe(false);
});

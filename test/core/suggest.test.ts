import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, nearest } from "../../lambda/core/suggest.ts";

const word = fc.string({ maxLength: 8 });

property.prop([word, word])("a distance is symmetric, and zero for equals alone", (a, b) => {
  expect(editDistance(a, b)).toBe(editDistance(b, a));
  expect(editDistance(a, b) === 0).toBe(a === b);
});

property.prop([word, word])("it is at least the difference in length, and at most the longer length", (a, b) => {
  expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
  expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
});

// https://en.wikipedia.org/wiki/Levenshtein_distance; CA → ABC is 3 by optimal string alignment, Wikipedia's own example
test.each([
  ["kitten", "sitting", 3],
  ["saturday", "sunday", 3],
  ["ca", "abc", 3],
  ["snyc", "sync", 1],
])("%s to %s takes %d", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
});

test("what is far from every name suggests none; the beginning of a name suggests it", () => {
  expect(nearest("frobnicate", ["sync", "export"])).toBeUndefined();
  expect(nearest("mark", ["sync", "markets"])).toBe("markets");
});

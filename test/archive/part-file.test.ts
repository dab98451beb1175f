import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "vitest";
import { decodePart, encodePart } from "../../lambda/archive/part-file.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";

describe("a part", () => {
  test("gives back every fill that the type allows, exactly", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFill, { maxLength: 30 }), (fills) => {
        assert.deepStrictEqual(decodePart(encodePart("main", fills)), fills);
      }),
      { numRuns: 300 },
    );
  });
});

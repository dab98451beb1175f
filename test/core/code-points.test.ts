import { expect, test } from "vitest";
import { withNumbers } from "../../lambda/core/code-points.ts";

test("unusual characters are given by number", () => {
  expect(withNumbers("BTC-USD 1|0")).toBe("BTC-USD 1|0");
  expect([withNumbers("E\u0301"), withNumbers("\u{1F600}")]).toEqual(["E\u0301[U+0301]", "\u{1F600}[U+1F600]"]);
});

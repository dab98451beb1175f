import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lookAlikes, spelt, withNumbers } from "../../lambda/core/look-alike.ts";

const pairs = (names: readonly string[]) => Object.fromEntries(lookAlikes(names));

describe("names that look the same", () => {
  test.each([
    ["composed and decomposed", "CAF\u00C9-USD", "CAFE\u0301-USD"],
    ["Latin and Cyrillic", "BTC-USD", "\u0412\u0422\u0421-USD"],
    ["Latin and Greek", "ETH-USD", "\u0395\u03A4\u0397-USD"],
    ["zero and O", "SOL-USD", "S0L-USD"],
    ["one and l", "lNCH-USD", "1NCH-USD"],
    ["full width", "BTC-USD", "\uFF22TC-USD"],
    ["with an invisible character", "BTC-USD", "BTC\u200B-USD"],
    ["with another direction", "BTC-USD", "\u202ABTC-USD"],
    ["with a space at the end", "BTC-USD", "BTC-USD\u00A0"],
    ["with another hyphen", "BTC-USD", "BTC\u2011USD"],
  ])("%s", (_, one, other) => {
    expect(pairs([one, "DOGE-USD", other])).toEqual({ [one]: [other], [other]: [one] });
    expect(spelt(one)).not.toBe(spelt(other));
  });

  test("exclude names with different accents, case or digits", () => {
    const names = [
      "E-USD",
      "\u00C9-USD",
      "e-USD",
      "BTC-USD",
      "BTC-USDT",
      "BTC-USDC",
      "1000PEPE-USD",
      "PEPE-USD",
      "\u65E5-USD",
    ];
    expect(pairs(names)).toEqual({});
  });
});

test("two different names are spelt differently; unusual characters are given by number", () => {
  const name = fc.string({ unit: fc.constantFrom(..."AO0lI1-\u0410\u0301\u200B\uD800E\u00C9") });
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(spelt(one) === spelt(other)).toBe(one === other);
      expect(withNumbers(one) === withNumbers(other)).toBe(one === other);
    }),
  );
  expect(withNumbers("BTC-USD 1|0")).toBe("BTC-USD 1|0");
  expect([withNumbers("E\u0301"), withNumbers("\u{1F600}"), spelt("S0L")]).toEqual([
    "E\u0301[U+0301]",
    "\u{1F600}[U+1F600]",
    "S0[U+0030]L",
  ]);
});

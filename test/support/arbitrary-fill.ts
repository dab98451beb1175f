import fc from "fast-check";
import type { Fill } from "../../lambda/core/fill.ts";
import { canonicalJson, parseLossless } from "../../lambda/formats/json.ts";
import { decodeRow } from "../../lambda/formats/row.ts";

/**
 * Texts that trouble file formats: formulas, separators, line breaks, byte order marks, NUL, lone surrogates,
 * U+FFFD.
 */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "=1+1",
    "\uFEFF=cmd",
    "\uFEFFtext",
    " \u00A0-x",
    "@a",
    "＝1",
    'a"b,c\r\nd',
    "\n",
    "\t",
    "\0",
    "\uD800",
    "a\uDC00b",
    "\uFFFD",
    "null",
    "__proto__",
    "é漢😀",
  ),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);

/**
 * What the service may give as an amount: plain decimals of every length, and texts that are not decimals.
 */
export const amountText: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,60})(\.[0-9]{1,60})?$/),
  fc.constantFrom("0", "-0", "-0.00", "1.50", "1e400", "abc", "007", "+1", ".5", "5.", "NaN", "0x10", "1_000", " 1"),
  hostileText,
);

const time = fc.integer({ min: 1_000_000_000_000, max: 253_399_622_399_999 });
const id = fc.oneof(hostileText, fc.constantFrom("one", "two"));
const orNot = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 9, arbitrary: value }, fc.jsonValue()), { freq: 4 });

/** Unknown fields. Some have names that fillbook itself uses in `extra`. */
const unknown = fc.dictionary(
  fc.oneof(
    fc.string(),
    fc.constantFrom("price_", "fees__", "notional", "tx_created"),
    fc.constantFrom("__proto__", "constructor", "toString", "0"),
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom(-0, Number.POSITIVE_INFINITY), fc.string({ unit: "binary" })),
  { noNullPrototype: true },
);

const row = fc
  .tuple(
    fc.record({
      matchId: id,
      orderId: id,
      txCreated: time,
      filledAt: orNot(time),
      market: orNot(fc.oneof(fc.constantFrom("BTC-USD", "ETH-USDT", "BTC-", "-USD", "A-B-C"), hostileText)),
      orderType: orNot(fc.oneof(fc.constantFrom("buy", "sell"), hostileText)),
      executionType: orNot(fc.oneof(fc.constantFrom("maker", "taker"), hostileText)),
      tradeType: orNot(hostileText),
      fillType: orNot(hostileText),
      triggerType: orNot(hostileText),
      transactionHash: orNot(hostileText),
      quantity: orNot(amountText),
      price: orNot(amountText),
      fees: orNot(amountText),
      triggerPrice: orNot(amountText),
    }),
    fc.option(unknown),
  )
  .map(([known, more]) => canonicalJson({ ...more, ...known }));

/** Any fill that can be filed, of whatever row the service sends. */
export const arbitraryFill: fc.Arbitrary<Fill> = row
  .map((text) => decodeRow(parseLossless(text)))
  .filter((one) => "fill" in one)
  .map(({ fill }) => fill);

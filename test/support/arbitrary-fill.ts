import fc from "fast-check";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";

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

const time = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: null });

/** Unknown fields. Some have names that fillbook itself uses in `extra`. */
const extra = fc.dictionary(
  fc.oneof(
    fc.string(),
    fc.constantFrom("price", "price_", "quantity", "fees", "fees__", "notional", "market", "orderId", "triggerPrice"),
    fc.constantFrom("__proto__", "constructor", "toString", "0"),
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom(-0, Number.POSITIVE_INFINITY), fc.string({ unit: "binary" })),
  { noNullPrototype: true },
);

/** Any fill that the type allows. */
export const arbitraryFill: fc.Arbitrary<PlainFill> = fc.record(
  {
    matchId: hostileText,
    orderId: hostileText,
    txCreated: time,
    filledAt: orNull(time),
    market: orNull(fc.oneof(fc.constantFrom("BTC-USD", "ETH-USDT", "BTC-", "-USD", "A-B-C"), hostileText)),
    side: orNull(fc.oneof(fc.constantFrom("buy", "sell"), hostileText)),
    liquidity: orNull(fc.oneof(fc.constantFrom("maker", "taker"), hostileText)),
    tradeType: orNull(hostileText),
    fillType: orNull(hostileText),
    triggerType: orNull(hostileText),
    transactionHash: orNull(hostileText),
    quantity: orNull(amountText),
    price: orNull(amountText),
    fee: orNull(amountText),
    triggerPrice: orNull(amountText),
    extra: orNull(extra),
  },
  { noNullPrototype: true },
);

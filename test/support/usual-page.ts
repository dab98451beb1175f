import fc from "fast-check";
import { PackedFill } from "../../lambda/core/fast/packed-fill.ts";
import { FIELD_NAMES, type Fill } from "../../lambda/core/fill.ts";
import type { FillFields, PlainFill } from "../../lambda/core/plain-fill.ts";
import { PageScanner } from "../../lambda/service/fast/scan.ts";

const scanner = new PageScanner();

const plainText = fc.stringMatching(/^[ !#-[\]-~]{0,12}$/); // printable ASCII without quotes and backslashes
const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._:-]{1,12}$/),
  fc.constantFrom("i".repeat(128), "i".repeat(129), "a b"),
);
const time = fc.integer({ min: 1_000_000_000_000, max: 253_399_622_399_999 });
const amount = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,6})?$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/),
  fc.constantFrom("0", "-0", "-0.00", "1.50", "1e400", "007", ".5", "5.", "", "-", "."),
  plainText,
);

/**
 * A fill on a page that can be read from its bytes: mostly sound, with every fault that such a fill may have.
 */
export const usualFill: fc.Arbitrary<PlainFill> = fc.record(
  {
    matchId: id,
    orderId: fc.oneof(fc.constantFrom("one", "two"), id),
    txCreated: time,
    filledAt: fc.option(time),
    market: fc.oneof(
      fc.constantFrom(
        "BTC-USD",
        "ETH-USDT",
        "BTC-",
        "-USD",
        "A-B-C",
        "USD",
        `${"M".repeat(60)}-USD`,
        `${"M".repeat(61)}-USD`,
      ),
      plainText,
    ),
    side: fc.oneof(fc.constantFrom("buy", "sell"), plainText),
    liquidity: fc.oneof(fc.constantFrom("maker", "taker"), plainText),
    tradeType: plainText,
    fillType: plainText,
    triggerType: plainText,
    transactionHash: plainText,
    quantity: amount,
    price: amount,
    fee: amount,
    triggerPrice: amount,
    extra: fc.constant(null),
  },
  { noNullPrototype: true },
);

/** The same, or one with fields that the interface does not list. */
export const packableFill: fc.Arbitrary<PlainFill> = fc
  .tuple(
    usualFill,
    fc.option(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("notional", "price_")), fc.jsonValue())),
  )
  .map(([fill, extra]) => ({ ...fill, extra: extra === null ? null : { ...extra } }));

/** The row's JSON as the service sends it. */
export function rowTextOf(fill: Fill): string {
  const fields = Object.entries(FIELD_NAMES).map(([name, field]) => [field, fill[name as keyof FillFields]] as const);
  return JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== null)));
}

/** The same fills as they are read from such a page. */
export function packedFills(fills: readonly Fill[]): PackedFill[] {
  const extras = fills.map(({ extra }) => extra);
  const rows = scanner.scan(`{"completedOrders":[${fills.map(rowTextOf).join(",")}]}`, extras)?.rows ?? [];
  const packed = rows.flatMap((row) => ("fill" in row && row.fill instanceof PackedFill ? [row.fill] : []));
  if (packed.length !== fills.length) {
    throw new Error("not a usual page");
  }
  return packed;
}

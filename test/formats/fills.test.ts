import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteCurrencyOf } from "../../lambda/core/currency.ts";
import { CELL_COLUMNS, cellsOf, FILL_COLUMNS, rowOf } from "../../lambda/formats/fill-columns.ts";
import { exceptionsOf } from "../../lambda/formats/fill-exceptions.ts";
import { parseLossless } from "../../lambda/formats/json.ts";
import { decodeRow, fillOfRow } from "../../lambda/formats/row.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";

// What each field becomes is tested with the pages of the service: test/service/decode.test.ts.

test("a fill's row gives the same fill again, whatever it holds", () => {
  fc.assert(
    fc.property(arbitraryFill, (fill) => {
      expect(fillOfRow(fill.row)).toEqual(fill);
      expect(Buffer.from(fill.row).toString()).toBe(fill.row);
      expect(fill.row).not.toContain("\n");
    }),
  );
});

test("a row is kept whole: unknown fields, nulls, numbers with their digits; the order of fields does not matter", () => {
  const row =
    '{"orderId":"o","z":null,"price":1.50,"matchId":"m","txCreated":1735689600123,"a":[1e400,{"y":1,"x":-0}]}';
  const decoded = decodeRow(parseLossless(row));
  const canonical =
    '{"a":[1e400,{"x":-0,"y":1}],"matchId":"m","orderId":"o","price":1.50,"txCreated":1735689600123,"z":null}';
  expect(decoded).toMatchObject({
    fill: { row: canonical, price: "1.50", extra: { a: ["1e400", { x: "-0", y: 1 }], z: null } },
  });
});

test("a text that is no row is a fault: only rows that were filed are read back", () => {
  expect(() => fillOfRow("{}")).toThrow("not the row of a fill: matchId is missing, not an id");
});

/** A row of fills.csv by column, before it is written as text. */
function texts(fields: Parameters<typeof makeFill>[0]): Record<string, unknown> {
  const row = rowOf("main", makeFill(fields));
  return Object.fromEntries(
    FILL_COLUMNS.map((column) => [column.name, column.kind === "decimal" ? column.text(row) : column.value(row)]),
  );
}

test("the columns and their order are those of the contract", () => {
  const contract =
    "filled_at, tx_created, account, market, side, quantity, price, notional, fee, fee_currency, liquidity, trade_type, fill_type, trigger_type, trigger_price, order_id, match_id, transaction_hash";
  expect(FILL_COLUMNS.map(({ name }) => name).join(", ")).toBe(contract);
});

test("each column takes its own field, with the digits that the service gave", () => {
  expect(texts({})).toEqual({
    filled_at: Date.UTC(2025, 2, 1, 12, 34, 56, 700),
    tx_created: Date.UTC(2025, 2, 1, 12, 34, 56, 789),
    account: "main",
    market: "BTC-USD",
    side: "buy",
    quantity: "0.50",
    price: "60000.10",
    notional: "30000.05",
    fee: "-1.2",
    fee_currency: "USD",
    liquidity: "taker",
    trade_type: "limit",
    fill_type: "complete",
    trigger_type: "none",
    trigger_price: "0",
    order_id: "01HZY3Q8R9V7T5N2M4K6J8H0GF",
    match_id: "5f7b1c1e-8a52-4a30-9a0e-0f4f0f1d2c3b",
    transaction_hash: "0x9f2c",
  });
});

// decimal.js 10.6.0 at its default precision gives 82868.46442580064163; the exact product is from the
// accounting reference, section 14.
test("the notional is exact, even with many digits", () => {
  expect(texts({ price: "67123.45678901", quantity: "1.23456789012345" })).toMatchObject({
    notional: "82868.4644258006416295032845",
  });
  expect(texts({ price: "abc", quantity: "1" })).toMatchObject({ price: "abc", notional: null });
});

test("an exponent is written out, in text and in a JSON number alike, with every digit that was sent", () => {
  const sent = `{"matchId":"m","orderId":"o","txCreated":1741000000000,"market":"A-USD","orderType":"buy","quantity":"2E-8","price":1.50e3,"fees":-1e-8}`;
  const row = rowOf("main", fillOfRow(sent));
  const cells = FILL_COLUMNS.flatMap((column) =>
    column.kind === "decimal" ? [[column.text(row), String(column.value(row))]] : [],
  );
  expect(cells).toEqual([
    ["0.00000002", "0.00000002"],
    ["1500", "1500"],
    ["0.00003", "0.00003"],
    ["-0.00000001", "-0.00000001"],
    [null, "null"],
  ]);
});

test.each([
  ["BTC-USD", "USD"],
  ["A-B-C", "C"],
  ["BTC", null],
  ["BTC-", null],
  ["-USD", null],
  [null, null],
])("the quote currency of %j is %j", (market, quote) => {
  expect(quoteCurrencyOf(market)).toBe(quote);
});

/** Its notional needs more digits than a typed cell has. */
const TINY = { price: "0.0000000001", quantity: "0.0000000001" };
const extra = (fields: Partial<FillFields>) => cellsOf(rowOf("main", makeFill(fields)), CELL_COLUMNS).at(-1);

test.each<[string, Partial<FillFields>, string | null]>([
  ["nothing, of a sound fill", {}, null],
  ["unknown fields, in one order", { extra: { z: 1, a: [true] } }, '{"a":[true],"z":1}'],
  ["a number that does not fit, under the interface's name", { fee: "1e400" }, '{"fees":"1e400"}'],
  ["beside unknown fields", { fee: "x", extra: { a: 1 } }, '{"a":1,"fees":"x"}'],
  [
    "both, where the service has a field of the same name",
    { ...TINY, extra: { notional: 5 } },
    '{"notional":5,"notional_":"0.00000000000000000001"}',
  ],
  ["text that is not Unicode", { market: null, extra: { market: "\uD800-USD" } }, '{"market":"\\ud800-USD"}'],
  ["a notional that does not fit", TINY, '{"notional":"0.00000000000000000001"}'],
  ["a field named __proto__", { extra: JSON.parse('{"__proto__":{"a":1}}') }, '{"__proto__":{"a":1}}'],
])("extra holds %s", (_, fields, expected) => {
  expect(extra(fields)).toBe(expected);
});

describe("the exceptions of a fill", () => {
  test.each<[string, Partial<FillFields>, [string, string][]]>([
    ["as the interface shows it", {}, []],
    ["in the older shape", { filledAt: null }, []],
    ["with a rebate", { fee: "-0.000000000000000001" }, []],
    ["with unknown fields", { extra: { liquidation: true } }, []],
    ["at a price of zero", { price: "0" }, []],
    ["with exponents", { price: "1.5e3", quantity: "2E-8", fee: "-1e-8" }, []],
    ["at the limits of the type", { quantity: "0.000000000000000001", price: "99999999999999999999" }, []],
    ["whose notional alone needs more digits than the typed cell has", TINY, []],
    ["without a fee", { fee: null }, [["fee", ""]]],
    ["with a field of another type", { market: null, extra: { market: 7 } }, [["market", "7"]]],
    ["with an invalid time", { filledAt: null, extra: { filledAt: "noon" } }, [["filled_at", '"noon"']]],
    ["with more digits than fit", { fee: "0.1234567890123456789" }, [["fee", "0.1234567890123456789"]]],
    ["with a trigger price of a formula", { triggerPrice: "=1+1" }, [["trigger_price", "=1+1"]]],
    ["with a quantity of zero", { quantity: "0.00" }, [["quantity", "0.00"]]],
    ["at a price below zero", { price: "-0.01" }, [["price", "-0.01"]]],
    ["with an exponent that is too large", { price: "1e30" }, [["price", "1e30"]]],
    ["on another side", { side: "Buy" }, [["side", "Buy"]]],
    ["with a liquidity that the interface does not know", { liquidity: "both" }, [["liquidity", "both"]]],
    ["of a market without a quote currency", { market: "BTC" }, [["market", "BTC"]]],
    ["of a hostile market", { market: "=cmd-USD" }, [["market", "=cmd-USD"]]],
    ["with a hostile id", { matchId: "a\r\nb" }, [["match_id", "a\r\nb"]]],
    [
      "with text that is not Unicode",
      { transactionHash: null, extra: { transactionHash: "\uD800" } },
      [["transaction_hash", '"\\ud800"']],
    ],
  ])("%s", (_, fields, expected) => {
    expect(exceptionsOf(makeFill(fields)).map(({ column, value }) => [column, value])).toEqual(expected);
  });

  test("with every problem, each with its reason", () => {
    const found = exceptionsOf(makeFill({ side: "short", quantity: "x", price: null }));
    expect(found.map(({ column }) => column)).toEqual(["side", "quantity", "price"]);
    expect(new Set(found.map(({ reason }) => reason)).size).toBe(3);
  });

  test("with one line a column and always a reason, whatever its fields are", () => {
    fc.assert(
      fc.property(arbitraryFill, (fill) => {
        const found = exceptionsOf(fill);
        expect(new Set(found.map(({ column }) => column)).size).toBe(found.length);
        expect(found.every(({ reason }) => reason !== "")).toBe(true);
      }),
    );
  });
});

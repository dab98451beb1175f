import { expect, test } from "vitest";
import { quoteCurrencyOf } from "../../lambda/core/currency.ts";
import { FILL_COLUMNS, rowOf } from "../../lambda/formats/fill-columns.ts";
import { fillOfRow } from "../../lambda/formats/row.ts";
import { makeFill } from "../support/make-fill.ts";

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

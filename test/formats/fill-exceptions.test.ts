import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exceptionsOf } from "../../lambda/formats/fill-exceptions.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";

const columnsOf = (fields: Partial<FillFields>) =>
  exceptionsOf(makeFill(fields)).map(({ column, value }) => [column, value]);

test.each<[string, Partial<FillFields>]>([
  ["as the interface shows it", {}],
  ["in the older shape", { filledAt: null }],
  ["with a rebate", { fee: "-0.000000000000000001" }],
  ["with unknown fields", { extra: { liquidation: true } }],
  ["at a price of zero", { price: "0" }],
  ["with exponents", { price: "1.5e3", quantity: "2E-8", fee: "-1e-8" }],
  ["at the limits of the type", { quantity: "0.000000000000000001", price: "99999999999999999999" }],
])("a fill is sound: %s", (_, fields) => {
  expect(columnsOf(fields)).toEqual([]);
});

describe("a fill is listed", () => {
  test.each<[string, Partial<FillFields>, [string, string][]]>([
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
    expect(columnsOf(fields)).toEqual(expected);
  });

  test("but not if only its notional needs more digits than the typed cell has", () => {
    expect(columnsOf({ price: "0.0000000001", quantity: "0.0000000001" })).toEqual([]);
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

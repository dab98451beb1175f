import { describe, expect, test } from "vitest";
import { decodeMarketData, decodeMarkets, decodeOpenOrder, decodeSpecifications } from "../../lambda/service/wire.ts";

// Samples modelled on service-interface 2.3 to 2.5.
const ORDER = {
  market: "BTC-USD",
  orderId: "01HZX3T9W4Q2M8N6K5J7P0R1S2",
  orderType: "buy",
  tradeType: "limit",
  price: "67000",
  quantity: "0.5",
  filledQuantity: "0.25",
  leverage: "3",
  createdAt: 1_735_689_600_000,
  updatedAt: 1_735_689_600_001,
  orderStatus: "active",
  clientRequestId: "6d9ccb2e-8a0f-4a37-8ea2-6f4c0f0f7e10",
  postOnly: false,
};
const SPECIFICATION = {
  market: "BTC-USD",
  tickSize: "0.1",
  lotSize: "0.0001",
  fundingIntervalHours: 8,
  minOrderSizeUSD: "10",
  maxOrderSizeUSD: "",
  contractType: "Vanilla",
};
const DATUM = { market: "BTC-USD", type: "INDEX", index: "CCIX", value: "67123.4", updatedAt: 1_735_689_600_000 };

test("reads answers as the interface document describes them, and keeps unknown fields and values", () => {
  const order = { ...ORDER, orderStatus: "resting", venue: { id: 7 } };
  expect(decodeOpenOrder(JSON.stringify({ openOrder: order }))).toEqual(order);
  const { contractType: _, ...plain } = { ...SPECIFICATION, market: "ETH-USD" };
  expect(decodeSpecifications(JSON.stringify([SPECIFICATION, plain]))).toEqual([SPECIFICATION, plain]);
  const data = [DATUM, { ...DATUM, type: "MARK", index: "VENUE_Z" }];
  expect(decodeMarketData(JSON.stringify(data))).toEqual(data);
});

test("an amount sent as a number keeps its digits", () => {
  const [datum] = decodeMarketData('[{"market":"BTC-USD","type":"INDEX","value":0.1234567890123456789,"skew":1.50}]');
  expect(datum).toEqual({ market: "BTC-USD", type: "INDEX", value: "0.1234567890123456789", skew: "1.50" });
});

test("a null is an absent field; __proto__ is data", () => {
  const [specification] = decodeSpecifications('[{"market":"BTC-USD","contractType":null,"__proto__":{"market":"X"}}]');
  expect(Object.keys(specification ?? {})).toEqual(["market", "__proto__"]);
  expect(specification?.market).toBe("BTC-USD");
});

const order = (more: object) => JSON.stringify({ openOrder: { ...ORDER, ...more } });
const specifications = (...more: readonly object[]) =>
  JSON.stringify(more.map((one) => ({ ...SPECIFICATION, ...one })));

test.each([
  [decodeOpenOrder, '{"openOrder":{"market":"B-U"}}', "open-order: openOrder.orderId is missing, which every item has"],
  [decodeOpenOrder, order({ postOnly: "no" }), 'open-order: openOrder.postOnly is "no", not true or false'],
  [
    decodeSpecifications,
    '[{"a":1,"a":2}]',
    'product-specifications: [0] is "a twice: {\\"a\\":1,\\"a\\":2}", not an object',
  ],
  [
    decodeSpecifications,
    specifications({ contractType: null }, {}),
    'product-specifications: [0] is "BTC-USD", which comes again with another contractType',
  ],
  [
    decodeSpecifications,
    specifications({}, { tickSize: {} }),
    "product-specifications: [1].tickSize is an empty object, not a text",
  ],
  [
    decodeSpecifications,
    specifications({ fundingIntervalHours: 1.5 }),
    "product-specifications: [0].fundingIntervalHours is 1.5, not a whole number",
  ],
  [
    decodeMarketData,
    `[{"market":"B","type":"I","value":"1","deep":${"[".repeat(65)}${"]".repeat(65)}}]`,
    "market-data: [0].deep is an array of 1, nested too deep",
  ],
  [decodeMarketData, `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "market-data: the answer is nested too deeply"],
])("an answer that breaks the interface: %#", (decode, body, message) => {
  expect(() => decode(body)).toThrow(expect.objectContaining({ kind: "untrusted", message }));
});

test("an answer that is of another kind is worth another request", () => {
  const message = "open-order: openOrder is missing, not an order";
  expect(() => decodeOpenOrder('{"order":{}}')).toThrow(expect.objectContaining({ kind: "incomplete", message }));
});

describe("markets", () => {
  const names = ["BTC-USD", "ETH-USDT"];
  test.each([
    names,
    names.map((market) => ({ market, x: 1 })),
    names.map((symbol) => ({ symbol })),
    { data: names.map((market) => ({ market })) },
    { markets: names.map((name) => ({ name })), data: 7 },
  ])("%j", (answer) => {
    expect(decodeMarkets(JSON.stringify(answer))).toEqual(names);
  });

  test.each([
    [{ list: names }, 'markets: the answer is an object with "list", not a list of markets in a known format'],
    [["BTC-USD", ""], 'markets: [1] is "", not the name of a market'],
    [["BTC-USD", { id: 7 }], 'markets: [1] is an object with "id", not the name of a market'],
    [[{ market: 7 }], "markets: [0] is an object whose name is 7, not the name of a market"],
  ])("not %j", (answer, message) => {
    expect(() => decodeMarkets(JSON.stringify(answer))).toThrow(
      expect.objectContaining({ kind: "untrusted", message }),
    );
  });
});

import { hash32, prng, share } from "../support/prng.ts";
import { ulid, uuid } from "./history.ts";
import { MARKETS } from "./market-facts.ts";
import { type EmulatorRequest, type HttpAnswer, json } from "./wire.ts";

// Every endpoint but the completed orders.

/**
 * Sets the leverage of one market (4.1). Rule 3 specifies the answer to an invalid market only; other invalid
 * input gets a 400 of the same shape here.
 */
export function updateLeverage(request: EmulatorRequest, markets: readonly string[]): HttpAnswer {
  const invalid = (message: string) => json(400, { body: message, statusCode: 400 });
  let asked: { readonly market?: unknown; readonly leverage?: unknown } | null = null;
  try {
    asked = JSON.parse(request.body);
  } catch {
    return invalid("the body is not JSON");
  }
  const { market, leverage } = asked ?? {};
  if (typeof market !== "string" || !markets.includes(market)) {
    return invalid("invalid market");
  }
  if (typeof leverage !== "string" || !/^[1-5]$/.test(leverage)) {
    return invalid("leverage must be one of 1, 2, 3, 4, 5");
  }
  return json(200, { message: `leverage of ${market} set to ${leverage}` });
}

/**
 * Section 4.3: one open order, by exactly one of its two ids. Rule 1 leaves open what happens with neither or
 * both; the emulator answers 400.
 */
export function openOrder(request: EmulatorRequest, orders: ReturnType<typeof makeOpenOrders>): HttpAnswer {
  const market = request.query.get("market");
  const orderId = request.query.get("order-id");
  const clientRequestId = request.query.get("client-request-id");
  if (market === null || (orderId === null) === (clientRequestId === null)) {
    return json(400, { message: "market and exactly one of order-id and client-request-id are needed" });
  }
  const found = orders.find(
    (order) => order.market === market && (order.orderId === orderId || order.clientRequestId === clientRequestId),
  );
  return found === undefined ? json(404, { message: "order not found" }) : json(200, { openOrder: found });
}

/** One open order (2.3) per market. Every second order is partly filled; `quantity` is what remains. */
export function makeOpenOrders(markets: readonly string[], seed: number, createdAt: number) {
  return markets.map((market, index) => {
    const draw = prng(hash32(seed, index, 61));
    return {
      market,
      orderId: ulid(createdAt, draw),
      orderType: draw.int(2) === 0 ? "buy" : "sell",
      tradeType: "limit",
      price: `${1 + draw.int(1000)}.50`,
      quantity: index % 2 === 0 ? "2.000" : "1.250",
      filledQuantity: index % 2 === 0 ? "0" : "0.750",
      leverage: String(1 + draw.int(5)),
      createdAt,
      updatedAt: createdAt + draw.int(60_000),
      orderStatus: "active",
      clientRequestId: uuid(draw),
      postOnly: draw.int(2) === 0,
    };
  });
}

const INDEX_SOURCES = ["CCIX", "CCCAGG", "VENUE_A", "VENUE_B"] as const;

/** The types of sections 2.5 and 4.5, and a value of each. */
const FIGURES: Readonly<Record<string, (price: number, drawn: number) => string>> = {
  INDEX: (price) => price.toFixed(8),
  "24H_COUNT": (_, drawn) => String(Math.floor(drawn * 100_000)),
  "24H_VOLUME": (_, drawn) => (drawn * 1_000_000).toFixed(2),
  ASK: (price) => (price * 1.0001).toFixed(8),
  BID: (price) => (price * 0.9999).toFixed(8),
  FUNDING: (_, drawn) => (drawn * 0.0002 - 0.0001).toFixed(10),
  NEXT_FUNDING: (_, drawn) => (drawn * 0.0001 - 0.000_05).toFixed(10),
  OPEN_INTEREST: (_, drawn) => (drawn * 1_000_000).toFixed(2),
};

/** Section 4.5: eight items per market, grouped by market, in the order of the request. */
export function marketData(
  request: EmulatorRequest,
  markets: readonly string[],
  seed: number,
  nowMs: number,
): HttpAnswer {
  const asked = request.query.get("markets") ?? "";
  if (asked === "") {
    return json(400, { message: "markets is required" });
  }
  const known = [...new Set(asked.split(","))].filter((name) => markets.includes(name));
  const items = known.flatMap((market) => {
    const at = markets.indexOf(market);
    const price = MARKETS.find((facts) => facts.name === market)?.price ?? 1;
    return Object.entries(FIGURES).map(([type, figureOf]) => ({
      market,
      type,
      index: type === "INDEX" ? INDEX_SOURCES[at % INDEX_SOURCES.length] : "SERVICE",
      value: figureOf(price, share(seed, at, hash32(seed, 71))),
      updatedAt: nowMs,
    }));
  });
  return json(200, items);
}

/**
 * Section 4.4: one specification per market. Some have no `contractType`, some have another type, and some
 * have no maximum order size.
 */
export function productSpecifications(markets: readonly string[]): HttpAnswer {
  const specifications = markets.map((market, index) => ({
    market,
    tickSize: ["0.01", "0.5", "0.00001", "1"][index % 4],
    lotSize: ["0.001", "1", "0.000000000000000001"][index % 3],
    fundingIntervalHours: index % 5 === 0 ? 8 : 1,
    minOrderSizeUSD: "10",
    maxOrderSizeUSD: index % 3 === 0 ? "" : "1000000",
    ...(index % 4 === 1 ? {} : { contractType: index % 7 === 6 ? "Inverse" : "Vanilla" }),
  }));
  return json(200, specifications);
}

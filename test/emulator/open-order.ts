import { hash32, prng } from "../support/prng.ts";
import { ulid, uuid } from "./history.ts";
import { type EmulatorRequest, type HttpAnswer, json } from "./wire.ts";

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

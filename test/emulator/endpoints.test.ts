import { describe, expect, it } from "vitest";
import { type Ask, answerOf } from "./asking.ts";
import { createEmulator, type Emulator } from "./core.ts";
import type { Switches } from "./switches.ts";

const emulate = (switches: Partial<Switches> = {}) => createEmulator({ switches });
const body = (emulator: Emulator, request: Ask): unknown => JSON.parse(answerOf(emulator, request).body);
const LEVERAGE: Ask = { path: "/api/v1/update-leverage", host: "order", method: "POST" };

describe("leverage", () => {
  it("is kept per market, the newest value", () => {
    const emulator = emulate();
    for (const [market, leverage] of [
      ["BTC-USD", "3"],
      ["ETH-USD", "2"],
      ["BTC-USD", "5"],
    ]) {
      expect(answerOf(emulator, { ...LEVERAGE, body: JSON.stringify({ market, leverage }) }).status).toBe(200);
    }
    expect([...emulator.leverage]).toEqual([
      ["BTC-USD", "5"],
      ["ETH-USD", "2"],
    ]);
  });

  it.each(["6", "0", "1.5", 3, null])("%s is refused with {body, statusCode}, and nothing is set", (leverage) => {
    const emulator = emulate();
    const answer = answerOf(emulator, { ...LEVERAGE, body: JSON.stringify({ market: "BTC-USD", leverage }) });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { body: expect.any(String), statusCode: 400 }]);
    expect(emulator.leverage.size).toBe(0);
  });

  it("needs a JSON object, and the token before it", () => {
    for (const text of ["", "[]", "{", "null"]) {
      expect(answerOf(emulate(), { ...LEVERAGE, body: text }).status).toBe(400);
    }
    expect(answerOf(emulate(), { ...LEVERAGE, token: null, body: "" }).status).toBe(401);
  });
});

describe("tokens", () => {
  it("are accepted while they are in the set, and counted by host", () => {
    const emulator = emulate();
    const status = (token: string) => answerOf(emulator, { path: "/api/v1/completed-orders", token }).status;
    expect(status("new")).toBe(401);
    emulator.setTokens(["new"]);
    expect(status("new")).toBe(200);
    expect(emulator.log.withToken).toEqual({ account: 2, order: 0, "market-data": 0 });
  });

  it("of the public endpoints are ignored, required or refused", () => {
    const status = (publicAuth: Switches["publicAuth"], sent: Pick<Ask, "token">) =>
      answerOf(emulate({ publicAuth }), { path: "/api/v2/product-specifications", host: "market-data", ...sent })
        .status;
    expect([status("ignored", {}), status("required", {}), status("refused", {})]).toEqual([200, 200, 400]);
    const none = { token: null };
    expect([status("ignored", none), status("required", none), status("refused", none)]).toEqual([200, 401, 200]);
  });
});

describe("open order", () => {
  it("is not found under another market, and neither or both ids are refused", () => {
    const emulator = emulate();
    const [first, second] = emulator.openOrders;
    const status = (query: Record<string, string>) => answerOf(emulator, { path: "/api/v1/open-order", query }).status;
    const ids = { "order-id": first?.orderId ?? "", "client-request-id": first?.clientRequestId ?? "" };
    const market = first?.market ?? "";
    expect(status({ market, "order-id": ids["order-id"] })).toBe(200);
    expect(status({ market: second?.market ?? "", "order-id": ids["order-id"] })).toBe(404);
    expect([status({ market, ...ids }), status({ market }), status({ "order-id": ids["order-id"] })]).toEqual([
      400, 400, 400,
    ]);
  });

  it("has a 404 of any body", () => {
    const query = { market: "BTC-USD", "order-id": "none" };
    const bodies = (["message", "empty", "html"] as const).map(
      (notFoundBody) => answerOf(emulate({ notFoundBody }), { path: "/api/v1/open-order", query }).body,
    );
    expect(bodies).toEqual([expect.stringContaining("message"), "", expect.stringContaining("<h1>")]);
  });
});

describe("markets and their data", () => {
  it("lists the markets in the shape asked for, on the host asked for", () => {
    const shape = (marketsShape: Switches["marketsShape"]) =>
      body(emulate({ marketsShape }), { path: "/api/v1/markets", host: "market-data" });
    expect(shape("strings")).toContain("BTC-USDT");
    expect(shape("wrapped")).toMatchObject({ markets: expect.arrayContaining(["BTC-USDT"]) });
    expect(shape("market-objects")).toContainEqual({ market: "BTC-USDT" });
    expect(shape("name-objects")).toContainEqual({ name: "BTC-USDT" });
    expect(shape("keyed")).toHaveProperty("BTC-USDT");
    expect(JSON.stringify(shape("other"))).not.toContain("BTC");
    const status = (host: Ask["host"] & string) =>
      answerOf(emulate({ marketsHost: "order" }), { path: "/api/v1/markets", host }).status;
    expect([status("order"), status("account"), status("market-data")]).toEqual([200, 404, 404]);
  });

  it("has specifications without contractType, of another type, and without a greatest size", () => {
    const items = body(emulate(), { path: "/api/v2/product-specifications", host: "market-data" }) as Record<
      string,
      unknown
    >[];
    expect(items).toHaveLength(20);
    expect(new Set(items.map((item) => item["contractType"]))).toEqual(new Set(["Vanilla", "Inverse", undefined]));
    expect(items.some((item) => item["maxOrderSizeUSD"] === "")).toBe(true);
  });

  it("names all four outside sources, and leaves unknown markets out or refuses them", () => {
    const emulator = emulate();
    const ask = (markets: string): Ask => ({ path: "/api/v1/market-data", host: "market-data", query: { markets } });
    const items = body(emulator, ask(emulator.markets.join(","))) as Record<string, unknown>[];
    const sources = items.filter((item) => item["type"] === "INDEX").map((item) => item["index"]);
    expect(new Set(sources)).toEqual(new Set(["CCIX", "CCCAGG", "VENUE_A", "VENUE_B"]));
    expect(body(emulator, ask("NO-USD"))).toEqual([]);
    expect(answerOf(emulate({ unknownMarket: "bad-request" }), ask("NO-USD")).status).toBe(400);
    expect(answerOf(emulator, { path: "/api/v1/market-data", host: "market-data" }).status).toBe(400);
  });

  it("answers 404 elsewhere: another path, host or method", () => {
    const status = (request: Ask) => answerOf(emulate(), request).status;
    expect(status({ path: "/api/v2/completed-orders" })).toBe(404);
    expect(status({ path: "/api/v1/completed-orders", host: "order" })).toBe(404);
    expect(status({ ...LEVERAGE, method: "GET" })).toBe(404);
  });
});

import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/core/errors.ts";
import type { HttpOutcome } from "../../lambda/service/transport.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { CANARY, constantRandom, EMPTY_PAGE, errorOf, never, readerOf, readerTo } from "./client.ts";
import { answer, cut, reset, type Scripted } from "./scripted-server.ts";

describe("completed orders", () => {
  test("are requested as the interface document says", async () => {
    const { server, reader } = await readerTo([EMPTY_PAGE]);
    await reader.completedOrders({ startDate: 1, endDate: 1_735_689_600_000, start: "a&b=c/+" }, never);
    await reader.completedOrders({ start: "" }, never);
    await reader.completedOrders({}, never);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/v1/completed-orders?startDate=1&endDate=1735689600000&start=a%26b%3Dc%2F%2B",
      "GET /api/v1/completed-orders?start=",
      "GET /api/v1/completed-orders",
    ]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${CANARY}`,
      accept: "application/json",
      "accept-encoding": "identity",
    });
    expect(reader.counts).toEqual({ requests: 3, refused: 0 });
  });

  test("come with their unchanged body", async () => {
    const text = '{"last":"0", "completedOrders":[ ]}';
    const { reader } = await readerTo([answer(200, text)]);
    expect(await reader.completedOrders({}, never)).toEqual({ kind: "page", body: text, rows: [], last: "0" });
  });

  test.each([400, 404, 410])("%i with a cursor: the cursor is refused", async (status) => {
    const { server, reader } = await readerTo([answer(status, { message: "expired" })]);
    expect(await reader.completedOrders({ start: "c" }, never)).toEqual({ kind: "cursor-refused", status });
    expect(server.requests).toHaveLength(1);
  });

  test.each([400, 413, 416, 422])("%i with dates and no cursor: the range is refused", async (status) => {
    const { server, reader } = await readerTo([answer(status, { message: "too wide" })]);
    expect(await reader.completedOrders({ startDate: 1, endDate: 2 }, never)).toMatchObject({
      kind: "range-refused",
      problem: { kind: "usage", message: `completed-orders: the service refused the dates (${status}): "too wide"` },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("404 means another endpoint, until a page has come: then the range is refused", async () => {
    const dates = { startDate: 1, endDate: 2 };
    const { reader } = await readerTo([answer(404, {}), answer(200, { completedOrders: [] }), answer(404, {})]);
    expect(await errorOf(reader.completedOrders(dates, never))).toMatchObject({ kind: "usage" });
    await reader.completedOrders(dates, never);
    expect(await reader.completedOrders(dates, never)).toMatchObject({ kind: "range-refused" });
  });

  test("403 in JSON refuses the token, not the cursor", async () => {
    const { reader } = await readerTo([answer(403, {})]);
    expect(await errorOf(reader.completedOrders({ start: "c" }, never))).toMatchObject({ kind: "token" });
  });
});

test.each<[string, Scripted]>([
  ["408", answer(408, {})],
  ["425", answer(425, {})],
  ["429", answer(429, {})],
  ["503 and HTML", answer(503, "<html>")],
  ["a cut body", cut],
  ["a reset connection", reset],
  ["half of a page", answer(200, '{"completedOrders":[')],
  ["an error under 200", answer(200, { message: "internal error" })],
])("a failed request is sent again until it succeeds: %s", async (_, failing) => {
  const { server, reader } = await readerTo([failing, failing, EMPTY_PAGE]);
  expect(await reader.completedOrders({}, never)).toMatchObject({ kind: "page" });
  expect(server.requests).toHaveLength(3);
  expect(reader.counts.requests).toBe(3);
});

describe("a wait that the service asks for is never shortened", () => {
  const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

  test.each<[string, number, Record<string, string>, number]>([
    ["seconds beyond dlt's 300", 429, { "retry-after": "301" }, 301_000],
    ["a date", 429, { "retry-after": "Sun, 01 Mar 2026 12:10:01 GMT" }, 601_000],
    ["with 503", 503, { "retry-after": "45" }, 45_000],
    ["with 403", 403, { "retry-after": "45" }, 45_000],
    ["with 418", 418, { "retry-after": "45" }, 45_000],
    ["the reset of RateLimit", 429, { ratelimit: '"default";r=0;t=90' }, 90_000],
    ["Retry-After beside it", 429, { ratelimit: '"default";r=0;t=90', "retry-after": "20" }, 20_000],
  ])("%s", async (_, status, headers, waitMs) => {
    const clock = fakeClock({ now: NOW });
    const dated = { ...headers, date: "Sun, 01 Mar 2026 12:00:00 GMT" };
    const { server, reader } = await readerTo([answer(status, {}, dated), EMPTY_PAGE], {
      clock,
      random: constantRandom(0),
    });
    const page = reader.completedOrders({}, never);
    await clock.untilSleeping();
    await clock.advance(0); // the random draw makes the jitter of a 503 zero
    await clock.advance(waitMs - 1);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await page).toMatchObject({ kind: "page" });
    expect(reader.counts).toEqual({ requests: 2, refused: status === 429 ? 1 : 0 });
  });

  test("all requests of the run wait", async () => {
    const clock = fakeClock({ now: NOW });
    const { server, reader } = await readerTo([answer(429, {}, { "retry-after": "60" }), EMPTY_PAGE], { clock });
    const first = reader.completedOrders({}, never);
    await clock.untilSleeping();
    const others = [reader.markets(never), reader.completedOrders({}, never)].map((one) => one.catch(() => "shape"));
    await clock.advance(59_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await first).toMatchObject({ kind: "page" });
    await Promise.all(others);
  });

  test("refused for an hour: not complete", async () => {
    const { reader, clock } = await readerTo([answer(429, {}, { "retry-after": "600" })]);
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind: "incomplete",
      message: "completed-orders: the service has refused the request (429) for 3600 s",
      hint: "what was read is kept; run again later",
    });
    expect(clock.monotonic()).toBe(3_600_000);
  });
});

describe("what something in front of the service answers is not the service's word", () => {
  const HTML = "<html><body>Access denied</body></html>";

  test("403 with a page of HTML: asked again, and the token is not in question", async () => {
    const { server, reader } = await readerTo([answer(403, HTML), EMPTY_PAGE]);
    expect(await reader.completedOrders({}, never)).toMatchObject({ kind: "page" });
    expect(server.requests).toHaveLength(2);
    const { reader: other } = await readerTo([answer(403, `\n ${HTML}`)]);
    const error = await errorOf(other.completedOrders({}, never));
    expect(error.kind).toBe("incomplete");
    expect(error.message).toContain("something in front of the service answered 403");
  });

  test("418 without Retry-After is wrong settings", async () => {
    const { reader } = await readerTo([answer(418, {})]);
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({ kind: "usage" });
  });
});

test("a request is stopped between two attempts, and while the service asks to wait", async () => {
  for (const failing of [answer(500, {}), answer(429, {}, { "retry-after": "60" })]) {
    const clock = fakeClock();
    const stop = new AbortController();
    const { server, reader } = await readerTo([failing], { clock });
    const page = errorOf(reader.completedOrders({}, stop.signal));
    await clock.untilSleeping();
    stop.abort();
    expect(await page).toBeInstanceOf(StoppedError);
    expect(server.requests).toHaveLength(1);
    expect(clock.sleeping).toEqual([]);
  }
});

describe("the other endpoints are requested as the interface document says", () => {
  test("open order, by either id", async () => {
    const order = { market: "BTC-USD", orderId: "O/1" };
    const { server, reader } = await readerTo([answer(200, { openOrder: order }), answer(404, "")]);
    expect(await reader.openOrder("BTC-USD", { orderId: "O/1" }, never)).toEqual(order);
    expect(await reader.openOrder("A&B", { clientRequestId: "c d" }, never)).toBeNull();
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/api/v1/open-order?market=BTC-USD&order-id=O%2F1",
      "/api/v1/open-order?market=A%26B&client-request-id=c%20d",
    ]);
  });

  test("markets, specifications, market data", async () => {
    const { server, reader } = await readerTo([answer(200, [])]);
    await reader.markets(never);
    await reader.productSpecifications(never);
    await reader.marketData(["BTC-USD", "Ä&B-USDT"], never);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/api/v1/markets",
      "/api/v2/product-specifications",
      "/api/v1/market-data?markets=BTC-USD,%C3%84%26B-USDT",
    ]);
  });
});

describe("a clock that is ahead of the service's", () => {
  const date = "Sun, 01 Mar 2026 12:00:00 GMT";
  const asked = async (aheadMs: number, headers: Record<string, string>) => {
    const clock = fakeClock({ auto: true, now: Date.parse(date) + aheadMs });
    const { reader } = await readerTo([answer(200, { completedOrders: [] }, headers)], { clock });
    return await reader.completedOrders({}, never);
  };

  test("by more than five minutes is refused: the archive would claim times that are still to come", async () => {
    expect(await errorOf(asked(300_001, { date }))).toMatchObject({
      kind: "usage",
      message:
        "the clock of this machine is ahead: it says 2026-03-01T12:05:00.001Z, the service's says 2026-03-01T12:00:00.000Z",
      hint: "set the clock and run again",
    });
  });

  test.each([300_000, -40 * 86_400_000])("by %d ms is accepted", async (aheadMs) => {
    expect(await asked(aheadMs, { date })).toMatchObject({ kind: "page" });
  });

  test("is not inferred from a slow answer: the time of its request counts", async () => {
    const clock = fakeClock({ auto: true, now: Date.parse(date) });
    const connect = () => ({
      async send(): Promise<HttpOutcome> {
        await clock.sleep(3_600_000, never);
        return {
          kind: "answer",
          status: 200,
          body: '{"completedOrders":[]}',
          header: (name) => (name === "date" ? date : undefined),
        };
      },
      close: () => Promise.resolve(),
    });
    const { reader } = readerOf("https://account.example.com", { clock, connect });
    expect(await reader.completedOrders({}, never)).toMatchObject({ kind: "page" });
  });
});

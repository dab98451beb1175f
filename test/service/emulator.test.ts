import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fill, plainFill } from "../../lambda/core/fill.ts";
import { fixedToken, Token } from "../../lambda/core/token.ts";
import { createLeverageWriter } from "../../lambda/service/leverage.ts";
import { createLimiter } from "../../lambda/service/limiter.ts";
import { createReader } from "../../lambda/service/reader.ts";
import type { PageRow } from "../../lambda/service/service.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { constantRandom, errorOf, never } from "./client.ts";

let service: RunningEmulator;

beforeAll(async () => {
  service = await startEmulator();
});

afterAll(async () => {
  await service.close();
});

function client(token = SAMPLE_TOKEN) {
  const clock = fakeClock({ auto: true });
  const random = constantRandom();
  const limiter = createLimiter({ clock, random, concurrency: 2, maxRps: null });
  const shared = { tokens: fixedToken(new Token(token)), clock, random, limiter };
  const { accountUrl, marketDataUrl, orderUrl } = service;
  const reader = createReader({ ...shared, accountUrl, marketDataUrl });
  const writer = createLeverageWriter({ ...shared, orderUrl });
  return { reader, writer, close: () => Promise.all([reader.close(), writer.close()]) };
}

/** The item that a fill was read from, by service-interface 2.2. */
function itemOf(row: PageRow): CompletedOrder {
  expect(row).toHaveProperty("fill");
  const { side, liquidity, fee, filledAt, extra, ...same } = plainFill((row as { fill: Fill }).fill);
  expect(extra).toBeNull();
  const item = { ...same, orderType: side, executionType: liquidity, fees: fee };
  return (filledAt === null ? item : { ...item, filledAt }) as CompletedOrder;
}

test("the whole account, row by row", async () => {
  const { reader, close } = client();
  const seen = new Map<string, CompletedOrder>();
  let start: string | undefined;
  do {
    const page = await reader.completedOrders(start === undefined ? {} : { start }, never);
    if (page.kind !== "page") {
      throw new Error("the cursor was refused");
    }
    for (const row of page.rows) {
      const item = itemOf(row);
      seen.set(`${item.matchId} ${item.orderId}`, item);
    }
    start = page.last;
  } while (start !== undefined);
  const truth = [...service.emulator.truth().values()];
  expect(truth.length).toBeGreaterThan(500);
  expect(seen.size).toBe(truth.length);
  for (const item of truth) {
    expect(seen.get(`${item.matchId} ${item.orderId}`)).toEqual(item);
  }
  await close();
});

test("markets, specifications, market data", async () => {
  const { reader, close } = client();
  const markets = await reader.markets(never);
  expect(markets).toEqual(service.emulator.markets);
  const specifications = await reader.productSpecifications(never);
  expect(specifications.map(({ market }) => market).sort()).toEqual([...markets].sort());
  const two = markets.slice(0, 2);
  const data = await reader.marketData(two, never);
  expect(new Set(data.map(({ market }) => market))).toEqual(new Set(two));
  await close();
});

test("an open order by either id, and one that is not there", async () => {
  const { reader, close } = client();
  const [order] = service.emulator.openOrders;
  if (order === undefined) {
    throw new Error("the emulator has no open order");
  }
  const { market, orderId, clientRequestId } = order;
  expect(await reader.openOrder(market, { orderId }, never)).toEqual(order);
  expect(await reader.openOrder(market, { clientRequestId }, never)).toEqual(order);
  expect(await reader.openOrder(market, { orderId: "none" }, never)).toBeNull();
  await close();
});

test("leverage: set, and refused for a market that is none", async () => {
  const { writer, close } = client();
  const [market = ""] = service.emulator.markets;
  expect(await writer.setLeverage(market, "4", never)).not.toBe("");
  expect(service.emulator.leverage.get(market)).toBe("4");
  expect(await errorOf(writer.setLeverage("NO-SUCH", "4", never))).toMatchObject({ kind: "usage" });
  await close();
});

test("another token is refused on the hosts that need one, and not asked for on the other", async () => {
  const { reader, writer, close } = client("another-token");
  expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({ kind: "token" });
  expect(await errorOf(reader.openOrder("BTC-USD", { orderId: "x" }, never))).toMatchObject({ kind: "token" });
  expect(await errorOf(writer.setLeverage("BTC-USD", "1", never))).toMatchObject({ kind: "token" });
  expect((await reader.markets(never)).length).toBeGreaterThan(0);
  await close();
});

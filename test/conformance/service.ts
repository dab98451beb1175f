import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * What the interface document says about the trading service, and nothing that it leaves open. The tests are
 * numbered by its sections and rules. The emulator passes them with every setting that keeps to the document.
 * On demand they run against the real service.
 */
export interface ServiceAddresses {
  readonly accountUrl: string;
  readonly orderUrl: string;
  readonly marketDataUrl: string;
  readonly token: string;
  /** An order known to be open. Without one, only the refusals of 4.3 are tested. */
  readonly openOrder?: { readonly market: string; readonly orderId: string; readonly clientRequestId: string };
  /** A market whose leverage may be set. Without one, no leverage is changed. */
  readonly leverageMarket?: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

type Fields = Record<string, unknown>;

const DECIMAL = /^-?\d+(\.\d+)?$/;
const MARKET = /^[^-\s]+-(USD|USDT)$/;
const MAX_PAGES = 40;
const TYPES = ["24H_COUNT", "24H_VOLUME", "ASK", "BID", "FUNDING", "INDEX", "NEXT_FUNDING", "OPEN_INTEREST"];

export function serviceConformance(name: string, connect: () => Promise<ServiceAddresses>): void {
  describe(`${name} keeps to the interface document`, () => {
    const agent = new Agent();
    let service: ServiceAddresses;

    beforeAll(async () => {
      service = await connect();
    });
    afterAll(async () => {
      await agent.close();
      await service.close();
    });

    const send = async (url: string, options: { token?: string; json?: string } = {}): Promise<Answer> => {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        method: options.json === undefined ? "GET" : "POST",
        headers: {
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...(options.json === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(options.json === undefined ? {} : { body: options.json }),
      });
      return { status: statusCode, body: await body.text() };
    };
    const completedOrders = (query: Record<string, string>): Promise<Answer> =>
      send(`${service.accountUrl}/api/v1/completed-orders?${new URLSearchParams(query)}`, { token: service.token });
    const openOrder = (query: Record<string, string>): Promise<Answer> =>
      send(`${service.accountUrl}/api/v1/open-order?${new URLSearchParams(query)}`, { token: service.token });
    const setLeverage = (body: Fields, token?: string): Promise<Answer> =>
      send(`${service.orderUrl}/api/v1/update-leverage`, {
        json: JSON.stringify(body),
        ...(token === undefined ? {} : { token }),
      });

    /** Reads a chain's pages, with the same dates in each request; at most MAX_PAGES pages. */
    const walk = async (dates: Record<string, string> = {}): Promise<Fields[]> => {
      const pages: Fields[] = [];
      let start: Record<string, string> = {};
      do {
        const answer = await completedOrders({ ...dates, ...start });
        expect(answer.status).toBe(200);
        const page = object(answer);
        pages.push(page);
        start = "last" in page ? { start: String(page["last"]) } : {};
      } while ("start" in start && pages.length < MAX_PAGES);
      return pages;
    };
    const rowsOf = (pages: readonly Fields[]): Fields[] => pages.flatMap((page) => objects(page["completedOrders"]));
    const specifications = async (): Promise<Fields[]> => {
      const answer = await send(`${service.marketDataUrl}/api/v2/product-specifications`);
      expect(answer.status).toBe(200);
      return objects(JSON.parse(answer.body));
    };

    describe("4.1 update leverage", () => {
      it("rule 1: answers 401 {message} without an accepted token", async () => {
        for (const token of [undefined, "not-a-token"]) {
          const answer = await setLeverage({ market: "BTC-USD", leverage: "1" }, token);
          expect(answer.status).toBe(401);
          expect(object(answer)).toMatchObject({ message: expect.any(String) });
        }
      });

      it("rule 2: answers 400 {body, statusCode: 400} to a market that it does not support", async () => {
        const answer = await setLeverage({ market: "NO-SUCH-MARKET", leverage: "1" }, service.token);
        expect(answer.status).toBe(400);
        expect(object(answer)).toMatchObject({ body: expect.any(String), statusCode: 400 });
      });

      it("answers 200 {message} to each of 1 to 5, if the market may be changed", async () => {
        const market = service.leverageMarket;
        for (const leverage of market === undefined ? [] : ["1", "2", "3", "4", "5"]) {
          const answer = await setLeverage({ market, leverage }, service.token);
          expect(answer.status).toBe(200);
          expect(object(answer)).toMatchObject({ message: expect.any(String) });
        }
      });
    });

    describe("4.2 completed orders", () => {
      it("5 rule 2: answers 401 {message} without an accepted token", async () => {
        for (const token of [undefined, "not-a-token"]) {
          const answer = await send(
            `${service.accountUrl}/api/v1/completed-orders`,
            token === undefined ? {} : { token },
          );
          expect(answer.status).toBe(401);
          expect(object(answer)).toMatchObject({ message: expect.any(String) });
        }
      });

      it("2.2: items have the fields and types of the table", async () => {
        const rows = rowsOf(await walk());
        expect(rows.length).toBeGreaterThan(0);
        for (const row of rows) {
          expectCompletedOrder(row);
        }
      });

      it("rule 1: rows are sorted by txCreated, in one direction, in each page and from page to page", async () => {
        const pages = (await walk()).map((page) =>
          objects(page["completedOrders"]).map((row) => Number(row["txCreated"])),
        );
        const heads = pages.flatMap((times) => times.slice(0, 1)); // pages may overlap, but their first rows still go in one direction
        const runs = [...pages, heads];
        const isSorted = (sign: number) =>
          runs.every((times) => times.every((time, at) => sign * (time - (times[at - 1] ?? time)) >= 0));
        expect(isSorted(1) || isSorted(-1)).toBe(true);
      });

      it("rule 2: a page holds at most 100 items", async () => {
        for (const page of await walk()) {
          expect(objects(page["completedOrders"]).length).toBeLessThanOrEqual(100);
        }
      });

      it("rule 3: last is a string or absent, and a chain ends without it", async () => {
        const pages = await walk();
        for (const page of pages) {
          expect("last" in page ? typeof page["last"] : "string").toBe("string");
        }
        const newest = pages.at(-1) ?? {};
        expect(pages.length === MAX_PAGES || !("last" in newest)).toBe(true);
      });

      it("each bound may be used alone or with the other", async () => {
        const times = rowsOf(await walk()).map((row) => Number(row["txCreated"]));
        const startDate = String(Math.min(...times));
        const endDate = String(Math.max(...times));
        const ranges: readonly Record<string, string>[] = [{ startDate }, { endDate }, { startDate, endDate }];
        for (const dates of ranges) {
          expect((await completedOrders(dates)).status).toBe(200);
        }
      });

      it("rule 5: dates are milliseconds, so seconds of today are a time in 1970", async () => {
        const newestMs = Math.max(...rowsOf(await walk()).map((row) => Number(row["txCreated"])));
        expect(rowsOf(await walk({ endDate: String(Math.floor(newestMs / 1000)) }))).toEqual([]);
        expect(rowsOf(await walk({ startDate: String(newestMs * 2) }))).toEqual([]);
      });
    });

    describe("4.3 open order", () => {
      const unknown = { market: "BTC-USD", "order-id": "00000000000000000000000000" };

      it("5 rule 2: answers 401 {message} without an accepted token", async () => {
        const answer = await send(`${service.accountUrl}/api/v1/open-order?${new URLSearchParams(unknown)}`);
        expect(answer.status).toBe(401);
        expect(object(answer)).toMatchObject({ message: expect.any(String) });
      });

      it("rule 3: answers 404 when there is no such order", async () => {
        expect((await openOrder(unknown)).status).toBe(404);
      });

      it("rules 1, 2: finds an open order by either id, with the fields of 2.3", async () => {
        const known = service.openOrder;
        const queries: readonly Record<string, string>[] =
          known === undefined
            ? []
            : [
                { market: known.market, "order-id": known.orderId },
                { market: known.market, "client-request-id": known.clientRequestId },
              ];
        for (const query of queries) {
          const answer = await openOrder(query);
          expect(answer.status).toBe(200);
          expect(object(answer)["openOrder"]).toMatchObject({ ...OPEN_ORDER, ...known });
        }
      });
    });

    describe("4.4 product specifications", () => {
      it("2.4: is an array of items with the fields and types of the table, one a market", async () => {
        const items = await specifications();
        for (const item of items) {
          expect(item).toMatchObject({
            market: expect.stringMatching(MARKET),
            tickSize: expect.stringMatching(DECIMAL),
            lotSize: expect.stringMatching(DECIMAL),
            minOrderSizeUSD: expect.stringMatching(DECIMAL),
            maxOrderSizeUSD: expect.stringMatching(/^$|^\d+(\.\d+)?$/),
          });
          expect(Number.isInteger(item["fundingIntervalHours"])).toBe(true);
          expect("contractType" in item ? typeof item["contractType"] : "string").toBe("string");
        }
        expect(new Set(items.map((item) => item["market"])).size).toBe(items.length);
      });
    });

    describe("4.5 market data", () => {
      const marketData = async (markets: string): Promise<Fields[]> => {
        const answer = await send(`${service.marketDataUrl}/api/v1/market-data?markets=${markets}`);
        expect(answer.status).toBe(200);
        return objects(JSON.parse(answer.body));
      };
      const twoMarkets = async (): Promise<string[]> =>
        (await specifications()).slice(0, 2).map((item) => String(item["market"]));

      it("2.5: has the eight types for each market asked for, those of one market together", async () => {
        const markets = await twoMarkets();
        const items = await marketData(markets.join(","));
        for (const market of markets) {
          expect(
            items
              .filter((item) => item["market"] === market)
              .map((item) => item["type"])
              .toSorted(),
          ).toEqual(TYPES);
        }
        const changes = items.filter((item, at) => item["market"] !== items[at - 1]?.["market"]);
        expect(changes).toHaveLength(markets.length);
      });

      it("2.5: names an outside source for INDEX and SERVICE for the rest; values are decimals", async () => {
        for (const item of await marketData((await twoMarkets()).join(","))) {
          expect(item["index"] === "SERVICE").toBe(item["type"] !== "INDEX");
          expect(item).toMatchObject({ index: expect.any(String), value: expect.stringMatching(DECIMAL) });
          expect(Number.isSafeInteger(item["updatedAt"])).toBe(true);
        }
      });

      it("accepts a percent-encoded comma", async () => {
        const keys = (items: readonly Fields[]) => items.map((item) => `${item["market"]} ${item["type"]}`);
        const markets = await twoMarkets();
        expect(keys(await marketData(markets.join("%2C")))).toEqual(keys(await marketData(markets.join(","))));
      });
    });

    it("4: /api/v1/markets answers in JSON", async () => {
      const answer = await send(`${service.marketDataUrl}/api/v1/markets`);
      expect(answer.status).toBe(200);
      expect(() => JSON.parse(answer.body)).not.toThrow();
    });
  });
}

/** 2.3, without the ids */
const OPEN_ORDER = {
  orderType: expect.stringMatching(/^(buy|sell)$/),
  tradeType: expect.any(String),
  price: expect.stringMatching(DECIMAL),
  quantity: expect.stringMatching(DECIMAL),
  filledQuantity: expect.stringMatching(DECIMAL),
  leverage: expect.any(String),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  orderStatus: expect.any(String),
  postOnly: expect.any(Boolean),
};

function expectCompletedOrder(row: Fields): void {
  expect(row).toMatchObject({
    market: expect.stringMatching(MARKET),
    matchId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
    orderId: expect.stringMatching(/^.{26}$/),
    orderType: expect.stringMatching(/^(buy|sell)$/),
    executionType: expect.stringMatching(/^(maker|taker)$/),
    fillType: expect.any(String),
    price: expect.stringMatching(DECIMAL),
    quantity: expect.stringMatching(DECIMAL),
    tradeType: expect.any(String),
    fees: expect.stringMatching(DECIMAL),
    triggerType: expect.any(String),
    triggerPrice: expect.stringMatching(DECIMAL),
    transactionHash: expect.stringMatching(/^0x[0-9a-f]+$/i),
  });
  expect(Number.isSafeInteger(row["txCreated"])).toBe(true);
  expect("filledAt" in row ? Number.isSafeInteger(row["filledAt"]) : true).toBe(true);
}

function object(answer: Answer): Fields {
  const value: unknown = JSON.parse(answer.body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`not a JSON object: ${answer.body.slice(0, 200)}`);
  }
  return { ...value };
}

function objects(value: unknown): Fields[] {
  if (!Array.isArray(value)) {
    throw new TypeError("not a JSON array");
  }
  return value.map((item: unknown) => ({ ...(typeof item === "object" ? item : {}) }));
}

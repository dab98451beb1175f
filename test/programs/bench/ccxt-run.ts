import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompletedOrder } from "../../emulator/wire.ts";

// Runs the real ccxt with an adapter for the service, written like ccxt's own `fetchMyTrades` in paradex.js,
// an exchange for perpetuals that returns a cursor beside its rows, and ccxt's pagination helper for it. RAISED:
// the limits are raised as its manual says. CCXT is the folder where it is installed.

const { CCXT = "", SERVICE_URL, SERVICE_TOKEN, SINCE, RAISED, OUT = "" } = process.env;

type Json = Record<string, unknown>;

interface Trade {
  readonly id: string;
  readonly order: string;
  readonly timestamp: number;
  readonly price: number | string;
  readonly amount: number | string;
  readonly fee: { readonly cost: number | string };
}

/** The parts of ccxt's base class that the adapter uses. */
interface Exchange {
  options: Json;
  number: NumberConstructor | StringConstructor;
  describe(): Json;
  deepExtend(...objects: Json[]): Json;
  urlencode(params: Json): string;
  safeString(object: Json, key: string): string | undefined;
  safeInteger(object: Json, key: string): number | undefined;
  safeList(object: Json, key: string, fallback: Json[]): Json[];
  iso8601(ms?: number): string;
  safeTrade(trade: Json): Trade;
  parseTrades(trades: Json[], market?: Json, since?: number, limit?: number): Trade[];
  handleOptionAndParams(params: Json, method: string, option: string): [unknown, Json];
  handleUntilOption(key: string, request: Json, params: Json): [Json, Json];
  extend(...objects: Json[]): Json;
  request(path: string, api: string, method: string, params: Json): Promise<Json>;
  fetchPaginatedCallCursor(
    method: string,
    symbol: undefined,
    since: number | undefined,
    limit: number | undefined,
    params: Json,
    cursorReceived: string,
    cursorSent: string,
    cursorIncrement: undefined,
    maxEntriesPerRequest: number,
  ): Promise<Trade[]>;
}

const library: { readonly default: { readonly Exchange: new (config?: Json) => Exchange } } = await import(
  pathToFileURL(join(CCXT, "js", "ccxt.js")).href
);

const PAGE = 100;

class TradingService extends library.default.Exchange {
  override describe(): Json {
    return this.deepExtend(super.describe(), {
      id: "service",
      rateLimit: 1, // ms: the service names no limit, and a guess would slow ccxt down
      has: { fetchMyTrades: true },
      api: { private: { get: ["api/v1/completed-orders"] } },
    });
  }

  sign(path: string, _api: string, method: string, params: Json): Json {
    const url = `${SERVICE_URL}/${path}?${this.urlencode(params)}`;
    return { url, method, headers: { Authorization: `Bearer ${SERVICE_TOKEN}` } };
  }

  async fetchMyTrades(symbol: undefined, since?: number, limit?: number, given: Json = {}): Promise<Trade[]> {
    const [paginate, params] = this.handleOptionAndParams(given, "fetchMyTrades", "paginate");
    if (paginate === true) {
      return await this.fetchPaginatedCallCursor(
        "fetchMyTrades",
        symbol,
        since,
        limit,
        params,
        "last",
        "start",
        undefined,
        PAGE,
      );
    }
    const dates: Json = since === undefined ? {} : { startDate: since };
    const [request, rest] = this.handleUntilOption("endDate", dates, params);
    const response = await this.request("api/v1/completed-orders", "private", "GET", this.extend(request, rest));
    const items = this.safeList(response, "completedOrders", []);
    for (const item of items) {
      item["last"] = this.safeString(response, "last");
    }
    return this.parseTrades(items, undefined, since, limit);
  }

  parseTrade(item: Json): Trade {
    const { matchId, orderId, market, orderType, executionType, price, quantity, fees } =
      item as unknown as CompletedOrder;
    const timestamp = this.safeInteger(item, "txCreated");
    return this.safeTrade({
      info: item,
      id: `${matchId} ${orderId}`, // the two sides of a self-trade share their matchId
      order: orderId,
      timestamp,
      datetime: this.iso8601(timestamp),
      symbol: market,
      side: orderType,
      takerOrMaker: executionType,
      price,
      amount: quantity,
      fee: { cost: fees, currency: market.split("-")[1] },
    });
  }
}

const exchange = new TradingService();
const params: Json = { paginate: true };
if (RAISED === "yes") {
  params["paginationCalls"] = 1000; // Manual, "Pagination params"
  exchange.options["maxRetriesOnFailure"] = 3; // Manual, "Retry Mechanism", and its values
  exchange.options["maxRetriesOnFailureDelay"] = 1000;
  exchange.number = String; // Exchange.js: "or String"
}
const trades = await exchange.fetchMyTrades(undefined, Number(SINCE), undefined, params);
const lines = trades.map(({ id, timestamp, price, amount, fee }) =>
  JSON.stringify([...id.split(" "), String(timestamp), String(price), String(amount), String(fee.cost)]),
);
writeFileSync(OUT, `${lines.join("\n")}\n`);

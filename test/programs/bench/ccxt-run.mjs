import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

// Runs the real ccxt with an adapter for the service, written like ccxt's own `fetchMyTrades` in paradex.js,
// an exchange for perpetuals that returns a cursor beside its rows, and ccxt's pagination helper for it. RAISED:
// the limits are raised as its manual says. CCXT is the folder where it is installed.

const { CCXT = "", SERVICE_URL, SERVICE_TOKEN, SINCE, RAISED, OUT = "" } = process.env;
const PAGE = 100;

const { default: ccxt } = await import(pathToFileURL(join(CCXT, "js", "ccxt.js")).href);

class TradingService extends ccxt.Exchange {
  describe() {
    return this.deepExtend(super.describe(), {
      id: "service",
      rateLimit: 1, // ms: the service names no limit, and a guess would slow ccxt down
      has: { fetchMyTrades: true },
      api: { private: { get: ["api/v1/completed-orders"] } },
    });
  }

  sign(path, _api, method, params) {
    const url = `${SERVICE_URL}/${path}?${this.urlencode(params)}`;
    return { url, method, headers: { Authorization: `Bearer ${SERVICE_TOKEN}` } };
  }

  async fetchMyTrades(symbol, since, limit, given = {}) {
    const [paginate, params] = this.handleOptionAndParams(given, "fetchMyTrades", "paginate");
    if (paginate === true) {
      const asked = [symbol, since, limit, params];
      return await this.fetchPaginatedCallCursor("fetchMyTrades", ...asked, "last", "start", undefined, PAGE);
    }
    const dates = since === undefined ? {} : { startDate: since };
    const [request, rest] = this.handleUntilOption("endDate", dates, params);
    const response = await this.request("api/v1/completed-orders", "private", "GET", this.extend(request, rest));
    const items = this.safeList(response, "completedOrders", []);
    for (const item of items) {
      item.last = this.safeString(response, "last");
    }
    return this.parseTrades(items, undefined, since, limit);
  }

  parseTrade(item) {
    const { matchId, orderId, market, orderType, executionType, price, quantity, fees } = item;
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
const params = { paginate: true };
if (RAISED === "yes") {
  params.paginationCalls = 1000; // Manual, "Pagination params"
  exchange.options.maxRetriesOnFailure = 3; // Manual, "Retry Mechanism", and its values
  exchange.options.maxRetriesOnFailureDelay = 1000;
  exchange.number = String; // Exchange.js: "or String"
}
const trades = await exchange.fetchMyTrades(undefined, Number(SINCE), undefined, params);
const lines = trades.map(({ id, timestamp, price, amount, fee }) =>
  JSON.stringify([...id.split(" "), String(timestamp), String(price), String(amount), String(fee.cost)]),
);
writeFileSync(OUT, `${lines.join("\n")}\n`);

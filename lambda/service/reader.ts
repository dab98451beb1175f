import { FillbookError } from "../core/errors.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { Token } from "../core/token.ts";
import { isRetryableStatus, type Question } from "./classify-response.ts";
import { COMPLETED_ORDERS, decodePage } from "./decode.ts";
import { lazyHost } from "./hosts.ts";
import { serviceMessage, withoutToken } from "./messages.ts";
import { createRequester, type ServiceOptions } from "./request-with-retry.ts";
import type { OpenOrder, OrderKey, PageAnswer, PageRequest, ServiceReader } from "./service.ts";
import { decodeMarketData, decodeMarkets, decodeOpenOrder, decodeSpecifications } from "./wire.ts";

export interface ReaderOptions extends ServiceOptions {
  /** Null: requests to this host reject with `usage`. */
  readonly accountUrl: string | null;
  readonly marketDataUrl: string | null;
}

/**
 * Makes a reader of the service. It opens no connection before the first request.
 * @throws FillbookError `usage` for an invalid address.
 */
export function createReader(options: ReaderOptions): ServiceReader & { close(): Promise<void> } {
  const requester = createRequester(options);
  const host = (option: string, address: string | null, showsToken: boolean) =>
    lazyHost(options, requester, { option, address, showsToken });
  const account = host("--account-url", options.accountUrl, true);
  const marketData = host("--market-data-url", options.marketDataUrl, false);
  const { limiter } = options;
  let isMet = false; // a page has come: 404 does not mean that the endpoint is another one
  return {
    counts: requester.counts,
    hasRoom: () => limiter.hasRoom(),
    begin: (learned, timeLeftMs) => limiter.begin(learned, timeLeftMs),
    learned: () => limiter.learned(),
    async close() {
      await Promise.all([account.close(), marketData.close()]);
    },
    async completedOrders(request, signal) {
      const answer = await account.ask(pageQuestion(request, isMet), signal);
      isMet ||= answer.kind === "page";
      const token = options.tokens === null ? null : await options.tokens.current();
      if (answer.kind === "page" && token !== null) {
        refuseEcho(answer, token);
      }
      return answer.kind === "range-refused" ? { ...answer, problem: withoutToken(answer.problem, token) } : answer;
    },
    openOrder(market, by, signal) {
      const path = `/api/v1/open-order?market=${encode(market)}&${orderQuery(by)}`;
      const question = { ...get<OpenOrder | null>("open-order", path, decodeOpenOrder), other: absentOn404 };
      return account.ask(question, signal);
    },
    markets: (signal) => marketData.ask(get("markets", "/api/v1/markets", decodeMarkets), signal),
    productSpecifications: (signal) =>
      marketData.ask(get("product-specifications", "/api/v2/product-specifications", decodeSpecifications), signal),
    async marketData(markets, signal) {
      if (markets.length === 0) {
        throw new FillbookError("usage", "market-data: no market was named", {
          hint: "name one or more, like BTC-USD",
        });
      }
      const path = `/api/v1/market-data?markets=${markets.map(encode).join(",")}`;
      return await marketData.ask(get("market-data", path, decodeMarketData), signal);
    },
  };
}

/**
 * Bad request, not found, too large, range not satisfiable, unprocessable: the usual answers to dates that a
 * service refuses.
 */
const GATEWAY_TIMEOUT = 504;
const RANGE_REFUSALS: ReadonlySet<number> = new Set([400, 404, 413, 416, 422]);

function get<T>(endpoint: string, path: string, decode: (body: string) => T): Question<T> {
  return { endpoint, method: "GET", path, decode };
}

function pageQuestion({ startDate, endDate, start }: PageRequest, isMet: boolean): Question<PageAnswer> {
  const parameters = Object.entries({ startDate, endDate, start }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encode(String(value))}`],
  );
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  const question = get<PageAnswer>(COMPLETED_ORDERS, `/api/v1/completed-orders${query}`, (body) => ({
    kind: "page",
    body,
    ...decodePage(body),
  }));
  if (start !== undefined) {
    return { ...question, other: refusedCursor };
  }
  if (startDate === undefined && endDate === undefined) {
    return question;
  }
  const width = (endDate ?? Number.POSITIVE_INFINITY) - (startDate ?? 0);
  const other = (status: number, body: string) =>
    isMet || status !== 404 ? refusedRange(status, body, width) : undefined;
  return { ...question, other };
}

/** What is kept of a page must not hold the token: not a row, not a key, not a cursor. */
function refuseEcho({ body }: Extract<PageAnswer, { kind: "page" }>, token: Token): void {
  const text = body.includes("\\") ? body.replaceAll(ESCAPED, unescaped) : body;
  if (text.includes(token.reveal())) {
    throw new FillbookError(
      "untrusted",
      `${COMPLETED_ORDERS}: the answer contains the token, so nothing of it is kept`,
      {
        hint: "check that --account-url is the service; if it is, tell its support, and ask for another token",
      },
    );
  }
}

/** JSON may write any letter in other ways. */
const ESCAPED = /\\(?:u([0-9a-f]{4})|(.))/gi;

function unescaped(_: string, code: string | undefined, letter: string): string {
  return code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16));
}

/** A wide range that the service cannot answer in time is like one that it refuses. `width`: ms. */
function refusedRange(status: number, body: string, width: number): { answer: PageAnswer } | undefined {
  const isSlow = status === GATEWAY_TIMEOUT && width > HOUR_MS + SECOND_MS;
  if (!(RANGE_REFUSALS.has(status) || isSlow)) {
    return undefined;
  }
  const message = `${COMPLETED_ORDERS}: the service refused the dates (${status})${serviceMessage(body)}`;
  const problem = new FillbookError(isSlow ? "incomplete" : "usage", message, {
    hint: "ask for a narrower range, or a later one",
  });
  return { answer: { kind: "range-refused", problem } };
}

/**
 * The cursor expired, is bound to other dates, or was forgotten (404, 410). The first page showed that the
 * endpoint exists.
 */
function refusedCursor(status: number): { answer: PageAnswer } | undefined {
  const isCursor = status >= 400 && status < 500 && status !== 401 && status !== 403 && !isRetryableStatus(status);
  return isCursor ? { answer: { kind: "cursor-refused", status } } : undefined;
}

function absentOn404(status: number): { answer: null } | undefined {
  return status === 404 ? { answer: null } : undefined;
}

function orderQuery(by: OrderKey): string {
  return "orderId" in by ? `order-id=${encode(by.orderId)}` : `client-request-id=${encode(by.clientRequestId)}`;
}

/** A typed text may contain a lone surrogate, which no URL can. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

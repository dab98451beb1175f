import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type FillbookError, StoppedError } from "../../lambda/core/errors.ts";
import { Token, type TokenSource } from "../../lambda/core/token.ts";
import { networkFailure } from "../../lambda/service/classify-response.ts";
import type { HttpOutcome, Transport } from "../../lambda/service/transport.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { makeFill } from "../support/make-fill.ts";
import { CANARY, constantRandom, errorOf, makeReader, never } from "./client.ts";
import { answer, closedAfterwards, cut, reset, type Scripted, serving } from "./scripted-server.ts";

const EMPTY_PAGE = answer(200, { completedOrders: [] });
const KEPT = "what was read is kept; run again later";

function readerOf(url: string, options: Parameters<typeof makeReader>[1] = {}) {
  const made = makeReader(url, options);
  closedAfterwards(made.reader);
  return made;
}

async function readerTo(script: Scripted[], options: Parameters<typeof makeReader>[1] = {}) {
  const server = await serving(...script);
  return { server, ...readerOf(server.url, options) };
}

/** A transport that gives these outcomes in order, and the last one forever. */
function scripted(...outcomes: HttpOutcome[]): Transport & { sent: number } {
  return {
    sent: 0,
    send() {
      const outcome = outcomes[Math.min(this.sent, outcomes.length - 1)];
      this.sent += 1;
      return outcome === undefined ? Promise.reject(new Error("no outcome")) : Promise.resolve(outcome);
    },
    close: () => Promise.resolve(),
  };
}

function body(status: number, text: string): HttpOutcome {
  return { kind: "answer", status, body: text, header: () => undefined };
}

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

  test("a cursor does not turn a refused token into a refused cursor", async () => {
    const { reader } = await readerTo([answer(403, {})]);
    expect(await errorOf(reader.completedOrders({ start: "c" }, never))).toMatchObject({ kind: "token" });
  });
});

describe("a failed request is sent again until it succeeds:", () => {
  test.each<[string, Scripted]>([
    ["408", answer(408, {})],
    ["429", answer(429, {})],
    ["503 and HTML", answer(503, "<html>")],
    ["a cut body", cut],
    ["a reset connection", reset],
    ["half of a page", answer(200, '{"completedOrders":[')],
    ["an error under 200", answer(200, { message: "internal error" })],
  ])("%s", async (_, failing) => {
    const { server, reader } = await readerTo([failing, failing, EMPTY_PAGE]);
    expect(await reader.completedOrders({}, never)).toMatchObject({ kind: "page" });
    expect(server.requests).toHaveLength(3);
    expect(reader.counts.requests).toBe(3);
  });
});

describe("a wait that the service asks for is never shortened", () => {
  const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

  test.each<[string, number, Record<string, string>, number]>([
    ["seconds beyond dlt's 300", 429, { "retry-after": "301" }, 301_000],
    ["a date", 429, { "retry-after": "Sun, 01 Mar 2026 12:10:01 GMT" }, 601_000],
    ["with 503", 503, { "retry-after": "45" }, 45_000],
    ["with 418", 418, { "retry-after": "45" }, 45_000],
    ["with 403", 403, { "retry-after": "45" }, 45_000],
    ["the time of the reset", 429, { ratelimit: '"default";r=0;t=90' }, 90_000],
    ["Retry-After beside it", 429, { ratelimit: '"default";r=0;t=90', "retry-after": "20" }, 20_000],
  ])("%s", async (_, status, headers, waitMs) => {
    const clock = fakeClock({ now: NOW });
    const dated = { ...headers, date: "Sun, 01 Mar 2026 12:00:00 GMT" };
    const options = { clock, random: constantRandom(0) };
    const { server, reader } = await readerTo([answer(status, {}, dated), EMPTY_PAGE], options);
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
      hint: KEPT,
    });
    expect(clock.monotonic()).toBe(3_600_000);
  });
});

describe("the token", () => {
  function source(...tokens: string[]): TokenSource & { reads: number } {
    return {
      reads: 0,
      current() {
        return Promise.resolve(new Token(tokens[this.reads] ?? ""));
      },
      refresh() {
        this.reads = Math.min(this.reads + 1, tokens.length - 1);
        return this.current();
      },
    };
  }

  test("that is refused is reported at once and not sent again", async () => {
    const { server, reader, clock } = await readerTo([answer(401, { message: "token has expired" })]);
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind: "token",
      message: 'completed-orders: the service refused the token (401): "token has expired"',
      hint: "it may have expired: set FILLBOOK_TOKEN, or the secret of FILLBOOK_TOKEN_SECRET, to a new one",
    });
    expect(server.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test("that changed in its source is read again once, and sent", async () => {
    const { server, reader } = await readerTo([answer(401, {}), EMPTY_PAGE], { tokens: source("one", "two") });
    expect(await reader.completedOrders({}, never)).toMatchObject({ kind: "page" });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer one", "Bearer two"]);
  });

  test("that changed and is refused too is not read a third time", async () => {
    const { server, reader } = await readerTo([answer(401, {})], { tokens: source("one", "two", "three") });
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({ kind: "token" });
    expect(server.requests).toHaveLength(2);
  });

  test("that is refused for two requests at once is read again only once", async () => {
    const tokens = source("one", "two", "three");
    const late: { refuse?: () => void } = {};
    const { server, reader } = await readerTo(
      [
        EMPTY_PAGE,
        (response, request) => {
          late.refuse = () => answer(401, {})(response, request);
        },
        answer(401, {}),
        (response, request) => {
          EMPTY_PAGE(response, request);
          late.refuse?.();
        },
        EMPTY_PAGE,
      ],
      { tokens },
    );
    await reader.completedOrders({}, never); // the limiter's first request runs alone
    await Promise.all([reader.completedOrders({}, never), reader.completedOrders({}, never)]);
    expect(tokens.reads).toBe(1);
    const sent = server.requests.slice(1).map(({ headers }) => headers.authorization);
    expect(sent).toEqual(["Bearer one", "Bearer one", "Bearer two", "Bearer two"]);
  });

  test("goes to the account host, and never to the market-data host", async () => {
    const marketData = await serving(answer(200, []));
    const account = await serving(EMPTY_PAGE);
    const { reader } = readerOf(account.url, { marketDataUrl: marketData.url });
    await reader.completedOrders({}, never);
    await reader.markets(never);
    await reader.productSpecifications(never);
    await reader.marketData(["BTC-USD"], never);
    expect(account.requests[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(JSON.stringify(marketData.requests)).not.toContain("CANARY");
    expect(marketData.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  });

  test("is in no error, whatever the service puts into its answers", async () => {
    const echoes: Scripted[] = [
      answer(401, { message: `the token ${CANARY} has expired` }),
      answer(403, `Bearer ${CANARY}`),
      answer(400, { body: `token=${CANARY.slice(0, 30)}`, statusCode: 400 }),
      answer(302, "", { location: `https://elsewhere.example.com/?token=${CANARY}` }),
      answer(404, `<html>${CANARY}</html>`),
      answer(500, { error: { message: CANARY } }),
      answer(200, CANARY),
      answer(200, { message: CANARY.slice(-20) }),
      answer(200, { completedOrders: [], last: { [CANARY]: 1 } }),
      answer(200, `{"completedOrders":[],"last":[${"1,".repeat(9)}1],"${CANARY}":1}`),
      (response) => response.socket?.end(`HTTP/9 ${CANARY}\r\n\r\n`),
      cut,
      reset,
    ];
    for (const echo of echoes) {
      const { reader } = await readerTo([echo]);
      const error = await errorOf(reader.completedOrders({}, never));
      const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
      for (let index = 0; index + 8 <= CANARY.length; index += 1) {
        expect(shown).not.toContain(CANARY.slice(index, index + 8));
      }
    }
  });
});

describe("an answer that contains the token is refused: nothing of it may be kept", () => {
  const row = makeFill().row.slice(1);
  const escaped = [...CANARY].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const page = (first: string, rest = "") => answer(200, `{"completedOrders":[${first}]${rest}}`);

  test.each<[string, Scripted]>([
    ["in a row", page(`{"note":"a ${CANARY} b",${row}`)],
    ["as a key of a row", page(`{"${CANARY}":1,${row}`)],
    ["deep in a row", page(`{"note":[{"x":"${CANARY}"}],${row}`)],
    ["in a row, with other letters for JSON", page(`{"note":"${escaped}",${row}`)],
    ["in a row that cannot be filed", page(`{"note":"${CANARY}"}`)],
    ["the same, with other letters for JSON", page(`{"note":"${escaped}"}`)],
    ["as the cursor", page(`{${row}`, `,"last":"${CANARY}"`)],
    ["in the cursor, with other letters for JSON", page(`{${row}`, `,"last":"x${escaped}"`)],
    ["beside the rows", page(`{${row}`, `,"note":"${CANARY}"`)],
  ])("%s", async (_, script) => {
    const { server, reader } = await readerTo([script]);
    const error = await errorOf(reader.completedOrders({}, never));
    expect(error).toMatchObject({
      kind: "untrusted",
      message: "completed-orders: the answer contains the token, so nothing of it is kept",
    });
    expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(CANARY);
    expect(server.requests).toHaveLength(1);
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

  test("418 without it is wrong settings", async () => {
    const { reader } = await readerTo([answer(418, {})]);
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({ kind: "usage" });
  });
});

describe("gallery: the messages that a person reads", () => {
  test.each<[string, Scripted, number, FillbookError["kind"], string, string]>([
    [
      "a service that is down",
      answer(503, { message: "maintenance until  noon" }),
      8,
      "incomplete",
      'gave up after 8 attempts: the service answered 503: "maintenance until noon"',
      KEPT,
    ],
    [
      "an address of another service",
      answer(404, "Not Found"),
      1,
      "usage",
      'HOST does not know this endpoint (404): "Not Found"',
      "check --account-url: it may not be the service's address",
    ],
    [
      "a redirect: only the host is named",
      answer(301, "", { location: "https://new.example.com/secret?x=y" }),
      1,
      "usage",
      "the service answered 301 with a redirect to new.example.com",
      "redirects are not followed; if it has moved, set --account-url",
    ],
    [
      "a request that is not accepted",
      answer(400, { body: `dates ${"x".repeat(200)}`, statusCode: 400 }),
      1,
      "usage",
      `the service answered 400: "dates ${"x".repeat(74)}"…`,
      "check the request and --account-url",
    ],
    [
      "a body that is too large",
      answer(200, `"${"x".repeat(2000)}"`),
      1,
      "untrusted",
      "the answer exceeds the size limit",
      "check --account-url (http://HOST)",
    ],
    [
      "an answer that breaks the interface",
      answer(200, { completedOrders: [], last: {} }),
      1,
      "untrusted",
      "last is an empty object, not a text",
      "check that --account-url (http://HOST) is the service; if it is, tell its support: what was walked before is kept",
    ],
  ])("%s", async (_, script, requests, kind, message, hint) => {
    const { server, reader } = await readerTo([script], { limits: { maxBytes: 1000 } });
    const shown = (text: string) => text.replace("HOST", server.url.replace("http://", ""));
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind,
      message: `completed-orders: ${shown(message)}`,
      hint: shown(hint),
    });
    expect(server.requests).toHaveLength(requests);
  });

  test("a host that has answered in this run gets eight attempts, any other three", async () => {
    const gone = { kind: "failed", code: "ECONNREFUSED" } as const;
    const transport = scripted(gone, gone, body(200, '{"completedOrders":[]}'), gone);
    const { reader, clock } = readerOf("http://127.0.0.1:1", { connect: () => transport });
    await reader.completedOrders({}, never);
    expect(clock.monotonic()).toBeLessThan(5000);
    const error = await errorOf(reader.completedOrders({}, never));
    expect(error.message).toBe(
      "completed-orders: gave up after 8 attempts: nothing listens at the address (ECONNREFUSED)",
    );
    expect(transport.sent).toBe(3 + 8);
  });

  test.each([
    ["ENOTFOUND", "the host's name is not known (ENOTFOUND)", ", and that this machine has a network"],
    ["CERT_HAS_EXPIRED", "its certificate is not accepted (CERT_HAS_EXPIRED)", ""],
  ])("%s: reported at once", async (code, reason, network) => {
    const transport = scripted({ kind: "failed", code });
    const { reader } = readerOf("https://account.example.com", { connect: () => transport });
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind: "usage",
      message: `completed-orders: no connection to account.example.com: ${reason}`,
      hint: `check --account-url (https://account.example.com)${network}`,
    });
    expect(transport.sent).toBe(1);
  });

  test.each([
    ["UND_ERR_BODY_TIMEOUT", "the answer stopped coming (UND_ERR_BODY_TIMEOUT)"],
    ["ECONNRESET", "the connection failed (ECONNRESET)"],
  ])("%s, in every attempt", async (code, reason) => {
    expect(networkFailure(code)).toBe("broken");
    const { reader } = readerOf("https://account.example.com", { connect: () => scripted({ kind: "failed", code }) });
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind: "incomplete",
      message: `completed-orders: gave up after 3 attempts: ${reason}`,
    });
  });

  test("a request that cannot be made is our own fault", async () => {
    const { reader } = readerOf("https://account.example.com", {
      connect: () => scripted({ kind: "failed", code: "UND_ERR_INVALID_ARG" }),
    });
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind: "fault",
      message: "completed-orders: the request could not be sent (UND_ERR_INVALID_ARG)",
    });
  });
});

test("stopped between two attempts, and while the service asks to wait", async () => {
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

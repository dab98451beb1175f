import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Token, type TokenSource } from "../../lambda/core/token.ts";
import type { HttpOutcome, Transport } from "../../lambda/service/transport.ts";
import { makeFill } from "../support/make-fill.ts";
import { CANARY, EMPTY_PAGE, errorOf, never, readerOf, readerTo } from "./client.ts";
import { answer, cut, reset, type Scripted, serving } from "./scripted-server.ts";

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

describe("gallery: the messages that a person reads", () => {
  test.each<[string, Scripted, requests: number, kind: string, message: string, hint: string]>([
    [
      "a service that is down",
      answer(503, { message: "maintenance until  noon" }),
      8,
      "incomplete",
      'gave up after 8 attempts: the service answered 503: "maintenance until noon"',
      "what was read is kept; run again later",
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
    const said = (text: string) => text.replace("HOST", server.url.replace("http://", ""));
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      kind,
      message: `completed-orders: ${said(message)}`,
      hint: said(hint),
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

  const broken = { kind: "incomplete" } as const;
  const wrong = (network: string) =>
    ({ kind: "usage", hint: `check --account-url (https://account.example.com)${network}` }) as const;
  const to = "no connection to account.example.com:";
  test.each([
    ["ENOTFOUND", `${to} the host's name is not known`, 1, wrong(", and that this machine has a network")],
    ["CERT_HAS_EXPIRED", `${to} its certificate is not accepted`, 1, wrong("")],
    ["UND_ERR_BODY_TIMEOUT", "gave up after 3 attempts: the answer stopped coming", 3, broken],
    ["ECONNRESET", "gave up after 3 attempts: the connection failed", 3, broken],
    ["UND_ERR_INVALID_ARG", "the request could not be sent", 1, { kind: "fault" }],
  ])("%s: %s", async (code, message, sent, expected) => {
    const transport = scripted({ kind: "failed", code });
    const { reader } = readerOf("https://account.example.com", { connect: () => transport });
    expect(await errorOf(reader.completedOrders({}, never))).toMatchObject({
      ...expected,
      message: `completed-orders: ${message} (${code})`,
    });
    expect(transport.sent).toBe(sent);
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
      answer(302, "", { location: `https://${CANARY}.example.com/` }), // a host's name is written small
      answer(404, `<html>${CANARY}</html>`),
      answer(500, { error: { message: CANARY } }),
      answer(200, CANARY),
      answer(200, { message: CANARY.slice(-20) }),
      answer(200, { completedOrders: [], last: { [CANARY]: 1 } }),
      answer(200, `{"${CANARY}":1,"${CANARY}":2}`),
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
        expect(shown.toLowerCase()).not.toContain(CANARY.slice(index, index + 8).toLowerCase());
      }
    }
  });
});

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
])("an answer that contains the token is refused: nothing of it may be kept, %s", async (_, script) => {
  const { server, reader } = await readerTo([script]);
  const error = await errorOf(reader.completedOrders({}, never));
  expect(error).toMatchObject({
    kind: "untrusted",
    message: "completed-orders: the answer contains the token, so nothing of it is kept",
  });
  expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(CANARY);
  expect(server.requests).toHaveLength(1);
});

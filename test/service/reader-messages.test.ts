import { describe, expect, test } from "vitest";
import type { HttpOutcome, Transport } from "../../lambda/service/transport.ts";
import { errorOf, never, readerOf, readerTo } from "./client.ts";
import { answer, type Scripted } from "./scripted-server.ts";

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

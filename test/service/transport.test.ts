import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { type After, systemAfter } from "../../lambda/core/clock.ts";
import { StoppedError } from "../../lambda/core/errors.ts";
import { createTransport, type HttpOutcome, type Limits, type Transport } from "../../lambda/service/transport.ts";
import { errorOf, never } from "./client.ts";
import { answer, closedAfterwards, cut, hang, reset, serving, stall } from "./scripted-server.ts";

function transportTo(address: string, limits: Partial<Limits> = {}, after = systemAfter): Transport {
  return closedAfterwards(createTransport({ address, connections: 1, after, limits }));
}

function get(transport: Transport, path = "/", signal = never): Promise<HttpOutcome> {
  return transport.send({ method: "GET", path, headers: {} }, signal);
}

test("an answer is returned unchanged, under the address's own path", async () => {
  const server = await serving(answer(503, "ünï", { "retry-after": "7" }));
  const outcome = await get(transportTo(`${server.url}/base/`), "/x?a=1");
  expect(outcome).toMatchObject({ kind: "answer", status: 503, body: "ünï" });
  expect(outcome.kind === "answer" && outcome.header("retry-after")).toBe("7");
  expect(server.requests[0]?.url).toBe("/base/x?a=1");
});

test("an interim answer does not count as the answer", async () => {
  const server = await serving((response) => {
    response.writeEarlyHints({ link: "</other>; rel=preload" });
    response.writeHead(200, { "retry-after": "7" });
    response.end("the answer");
  });
  const outcome = await get(transportTo(server.url));
  expect(outcome).toMatchObject({ kind: "answer", status: 200, body: "the answer" });
  expect(outcome.kind === "answer" && outcome.header("retry-after")).toBe("7");
});

describe("without an answer, only the error code is returned:", () => {
  test.each([
    ["cut", cut, /^UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH)$|^ECONNRESET$/],
    ["reset", reset, /^UND_ERR_SOCKET$|^ECONNRESET$/],
    ["hang", hang, /^UND_ERR_HEADERS_TIMEOUT$/],
    ["stall", stall, /^UND_ERR_BODY_TIMEOUT$/],
    ["not HTTP", (response: ServerResponse) => response.socket?.end("what?\r\n\r\n"), /^NOT_HTTP$/],
    ["not UTF-8", (response: ServerResponse) => response.end(Buffer.from([0x22, 0xff, 0x22])), /^NOT_UTF8$/],
  ])("%s", async (_, script, code) => {
    const server = await serving(script);
    const outcome = await get(transportTo(server.url, { headersMs: 50, bodyMs: 50 }));
    expect(outcome).toEqual({ kind: "failed", code: expect.stringMatching(code) });
  });

  test("a body that drips ends at the deadline of the whole request", async () => {
    const asked: number[] = [];
    let due: () => void = () => expect.unreachable();
    let cancelled = 0;
    const after: After = (ms, then) => {
      asked.push(ms);
      due = then;
      return () => {
        cancelled += 1;
      };
    };
    const server = await serving((response) => {
      response.writeHead(200);
      response.write("{", () => due());
    });
    expect(await get(transportTo(server.url, {}, after))).toEqual({ kind: "failed", code: "TOO_SLOW" });
    expect({ asked, cancelled }).toEqual({ asked: [120_000], cancelled: 1 });
  });
});

test("a body of 100 MB is refused while it streams, and little of it is read", async () => {
  let sent = 0;
  const piece = Buffer.alloc(64 * 1024, "x");
  const server = await serving((response) => {
    response.writeHead(200);
    const more = (): void => {
      while (sent < 100 * 1024 * 1024 && !response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    more();
  });
  expect(await get(transportTo(server.url))).toEqual({ kind: "failed", code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" });
  // 8 MiB, and what the socket buffers of both sides hold
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

describe("an aborted signal", () => {
  test.each([
    ["before the answer", hang],
    ["within the body", stall],
  ])("%s: StoppedError, and the socket is free", async (_, script) => {
    const stop = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const server = await serving((response, request) => {
      response.socket?.on("close", () => resolve());
      script(response, request);
      setImmediate(() => stop.abort());
    });
    expect(await errorOf(get(transportTo(server.url), "/", stop.signal))).toBeInstanceOf(StoppedError);
    await closed;
  });

  test("while the request waits for a socket: it is never sent", async () => {
    const stop = new AbortController();
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
    const server = await serving((response) => resolve(response), answer(200, []));
    const transport = transportTo(server.url);
    const first = get(transport, "/first");
    const waiting = errorOf(get(transport, "/second", stop.signal));
    const response = await asked;
    stop.abort();
    expect(await waiting).toBeInstanceOf(StoppedError);
    response.end();
    expect(await first).toMatchObject({ kind: "answer", status: 200 });
    expect(await get(transport, "/third")).toMatchObject({ kind: "answer", status: 200 });
    expect(server.requests.map(({ url }) => url)).toEqual(["/first", "/third"]);
  });
});

test("close: requests in flight end, and later ones are not sent", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = await serving(() => resolve());
  const transport = transportTo(server.url);
  const inFlight = get(transport);
  await asked;
  await transport.close();
  expect(await inFlight).toEqual({ kind: "failed", code: "UND_ERR_DESTROYED" });
  expect(await get(transport)).toEqual({ kind: "failed", code: "UND_ERR_DESTROYED" });
  expect(server.requests.length).toBe(1);
});

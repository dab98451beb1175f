import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { type Limits, type PageServer, startServer } from "../../../../lambda/web/hosts/local/node-http.ts";
import { MAX_BODY_BYTES, type PageAnswer, type PageRequest } from "../../../../lambda/web/request.ts";

const servers: PageServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const OK: PageAnswer = { status: 200, headers: { "content-type": "text/plain" }, body: "ok" };

/** A server that gives this answer, and its requests with their bodies. */
async function serving(answer: PageAnswer = OK, limits: Partial<Limits> = {}) {
  const requests: PageRequest[] = [];
  const server = await startServer(0, systemClock, { graceMs: 50, ...limits });
  server.answerWith(async ({ readBody, ...head }) => {
    requests.push({ ...head, body: await readBody(MAX_BODY_BYTES) });
    return answer;
  });
  servers.push(server);
  return { server, requests, socket: () => connect(server.port, "127.0.0.1") };
}

/** Everything that comes back on a connection until it ends. */
async function sent(socket: Socket, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  for (const piece of pieces) {
    socket.write(piece);
  }
  return await text(socket);
}

const GET = "GET /a?b=c HTTP/1.1\r\nHost: h\r\nX-Two: 1\r\nX-Two: 2\r\nConnection: close\r\n\r\n";

test("a request arrives as it was sent, and its answer is sent whole", async () => {
  const { socket, requests } = await serving({ ...OK, cookies: ["a=1; Path=/", "b=2; Path=/"] });
  const answer = await sent(socket(), GET);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\n/);
  expect(answer).toMatch(/\r\nset-cookie: a=1; Path=\/\r\nset-cookie: b=2; Path=\/\r\ncontent-length: 2\r\n/);
  expect(answer).toMatch(/\r\n\r\nok$/);
  expect(requests).toMatchObject([{ method: "GET", path: "/a", headers: { host: "h", "x-two": "1, 2" } }]);
  expect(requests[0]?.query.get("b")).toBe("c");
});

test("paths arrive unchanged: nothing is resolved or decoded", async () => {
  const { socket, requests } = await serving();
  const targets = ["/a/../b", "/a/%2e%2e/b", "//x/y", "http://evil.example/a", "/a?b?c"];
  for (const target of targets) {
    await sent(socket(), `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  }
  expect(requests.map(({ path }) => path)).toEqual([...targets.slice(0, -1), "/a"]);
  expect(String(requests.at(-1)?.query)).toBe("b%3Fc=");
});

test("it listens only on the loopback address, and names a port that is not free", async () => {
  const { server } = await serving();
  await expect(startServer(server.port, systemClock)).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(`cannot listen on 127.0.0.1:${server.port}`),
  });
});

const REFUSED =
  /\r\ncontent-security-policy: default-src 'none'.*\r\nx-content-type-options: nosniff\r\n.*\r\nconnection: close\r\n/s;

describe("an invalid request gets an answer with the headers, and reaches nothing", () => {
  test.each([
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: h\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["no HTTP", "\u0016\u0003\u0001\r\n\r\n", 400],
    ["a header with a line break in it", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400],
    ["an expectation", "GET / HTTP/1.1\r\nHost: h\r\nExpect: the-best\r\n\r\n", 417],
  ])("%s", async (_, request, status) => {
    const { socket, requests } = await serving();
    const answer = await sent(socket(), request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toMatch(REFUSED);
    expect(requests).toEqual([]);
  });

  test("a head or a body that never ends", async () => {
    const { socket, requests } = await serving(OK, { headMs: 50, requestMs: 50 });
    const answer = await sent(socket(), "GET / HTTP/1.1\r\nHost: h\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer.toLowerCase()).toMatch(REFUSED);
    await sent(socket(), "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    expect(requests).toEqual([]);
  });
});

test.each([
  ["with a declared length, nothing", "Content-Length: 1000000\r\n\r\n", 0],
  ["in chunks, only one byte beyond the limit", "Transfer-Encoding: chunked\r\n\r\n20000\r\n", 65_537],
])("of a body that is too large, %s is read", async (_, headers, read) => {
  const { socket, requests } = await serving({ ...OK, status: 413 });
  const connection = socket();
  const answer = await sent(connection, `POST / HTTP/1.1\r\nHost: h\r\n${headers}`, Buffer.alloc(131_072, "x"));
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
  expect(requests[0]?.body.length).toBe(read);
});

describe("a request whose body nobody reads", () => {
  async function unread(): Promise<() => Socket> {
    const server = await startServer(0, systemClock, { graceMs: 50 });
    server.answerWith(() => Promise.resolve({ ...OK, status: 401 }));
    servers.push(server);
    return () => connect(server.port, "127.0.0.1");
  }

  test("is answered before its body has arrived, and its connection ends", async () => {
    const socket = await unread();
    const head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n";
    expect(await sent(socket(), head)).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
  });

  test("keeps its connection for the next request if it has no body", async () => {
    const socket = await unread();
    const two = "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    const answers = await sent(socket(), two);
    expect(answers.match(/HTTP\/1\.1 401 /g)).toHaveLength(2);
    expect(answers.match(/connection: close/gi)).toHaveLength(1);
  });
});

/** Gives pieces forever; `stopped` resolves when no more are wanted. */
function endless() {
  const stop = Promise.withResolvers<void>();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        yield await Promise.resolve(Buffer.alloc(65_536));
      }
    } finally {
      stop.resolve();
    }
  }
  return { body: pieces(), stopped: stop.promise };
}

describe("an answer in pieces", () => {
  test("stops when the client goes away", async () => {
    const { body, stopped } = endless();
    const { socket } = await serving({ ...OK, body });
    const connection = socket();
    connection.write(GET);
    await once(connection, "data");
    connection.destroy();
    await stopped;
  });

  test("stops when the client reads none of it", async () => {
    const { body, stopped } = endless();
    const { socket } = await serving({ ...OK, body }, { idleMs: 100 });
    const connection = socket();
    connection.on("error", () => undefined);
    connection.write(GET);
    await stopped;
    connection.destroy();
  });

  test("is cut off if it fails, so that the client notices", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from("half"));
      throw new Error("damaged");
    }
    const { socket } = await serving({ ...OK, body: failing() });
    const answer = await sent(socket(), GET).catch((error: NodeJS.ErrnoException) => error.code);
    expect(answer).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  test("is cut off after a while when the server ends", async () => {
    const { body, stopped } = endless();
    const { server, socket } = await serving({ ...OK, body });
    const connection = socket();
    connection.on("error", () => undefined);
    connection.write(GET);
    await once(connection, "data");
    connection.resume();
    await server.close();
    await stopped;
    await expect(once(socket(), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

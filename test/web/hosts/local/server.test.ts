import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { type Answerer, type PageServer, startServer } from "../../../../lambda/web/hosts/local/server.ts";

const servers: PageServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that gives this answer, and the addresses that it was asked for. */
async function serving(answer: Answerer = () => new Response("ok")) {
  const asked: string[] = [];
  const answerer: Answerer = (request, env) => {
    asked.push(request.url);
    return answer(request, env);
  };
  const server = await startServer(0, { ...systemClock, sleep: () => Promise.resolve() }, () => answerer);
  servers.push(server);
  return { server, asked, socket: () => connect(server.port, "127.0.0.1") };
}

/** Everything that comes back on a connection until it ends. */
async function sent(socket: Socket, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  for (const piece of pieces) {
    socket.write(piece);
  }
  return await text(socket);
}

const GET = "GET /a?b=c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

test("it listens only on the loopback address, and names a port that is not free", async () => {
  const { server } = await serving();
  await expect(startServer(server.port, systemClock, () => () => new Response())).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(`cannot listen on 127.0.0.1:${server.port}`),
  });
});

describe("an invalid request gets an answer, and reaches nothing", () => {
  test.each([
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: h\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["no HTTP", "\u0016\u0003\u0001\r\n\r\n", 400],
    ["a header with a line break in it", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ])("%s", async (_, request, status) => {
    const { socket, asked } = await serving();
    expect(await sent(socket(), request)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(asked).toEqual([]);
  });
});

test("a request whose body nobody reads is answered before its body has arrived, and its connection ends", async () => {
  const { socket } = await serving(() => new Response("no", { status: 401 }));
  const head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n";
  expect(await sent(socket(), head)).toMatch(/^HTTP\/1\.1 401 /);
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
  const answer: Answerer = () => new Response(ReadableStream.from(pieces()));
  return { answer, stopped: stop.promise };
}

describe("an answer in pieces", () => {
  test("stops when the client goes away", async () => {
    const { answer, stopped } = endless();
    const { socket } = await serving(answer);
    const connection = socket();
    connection.write(GET);
    await once(connection, "data");
    connection.destroy();
    await stopped;
  });

  test("is cut off after a while when the server ends", async () => {
    const { answer, stopped } = endless();
    const { server, socket } = await serving(answer);
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

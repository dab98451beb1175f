import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { openBrowser } from "../../../../lambda/web/hosts/local/browser.ts";
import { type Answerer, type PageServer, startServer } from "../../../../lambda/web/hosts/local/server.ts";

const servers: PageServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that gives this answer. */
async function serving(answer: Answerer = () => new Response("ok")) {
  const server = await startServer(0, { ...systemClock, sleep: () => Promise.resolve() }, () => answer);
  servers.push(server);
  return { server, socket: () => connect(server.port, "127.0.0.1") };
}

const GET = "GET /a?b=c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

test("it listens only on the loopback address, and names a port that is not free", async () => {
  const { server } = await serving();
  await expect(startServer(server.port, systemClock, () => () => new Response())).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(`cannot listen on 127.0.0.1:${server.port}`),
  });
});

test("a request whose body nobody reads is answered before its body has arrived, and its connection ends", async () => {
  const { socket } = await serving(() => new Response("no", { status: 401 }));
  const head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n";
  const connection = socket();
  connection.write(head);
  expect(await text(connection)).toMatch(/^HTTP\/1\.1 401 /);
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

test("the browser opens a file that only its user can read and that redirects, so the key is in no process list", async () => {
  const url = "http://127.0.0.1:4711/?key=abc-123";
  const opened: string[] = [];
  const forget = await openBrowser(url, (file) => opened.push(file));
  const [file = ""] = opened;
  expect(opened.join()).not.toContain("abc-123");
  expect(await readFile(file, "utf8")).toContain(`content="0; url=${url}"`);
  expect((await stat(file)).mode & 0o077).toBe(0);
  await forget();
  expect(existsSync(file)).toBe(false);
});

import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { startServer } from "../../../../lambda/web/hosts/local/node-http.ts";
import { announcesMore } from "../../../../lambda/web/request.ts";
import { type Group, law } from "../attack.ts";

const HEAD = "Host: h\r\nConnection: close\r\n";

/** The bytes on the socket. A large body repeats the last piece. */
const REQUESTS: Readonly<Record<string, readonly [pieces: readonly string[], statuses: readonly number[]]>> = {
  "a header of 20 kB": [[`GET / HTTP/1.1\r\n${HEAD}X: ${"x".repeat(20_000)}\r\n\r\n`], [431]],
  "an address of 20 kB": [[`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`], [431]],
  "five thousand headers": [[`GET / HTTP/1.1\r\n${HEAD}${"X: y\r\n".repeat(5000)}\r\n`], [431]],
  "no HTTP": [["\u0016\u0003\u0001\r\n\r\n"], [400]],
  "a header with a line break in it": [[`GET / HTTP/1.1\r\n${HEAD}X: a\rb\r\n\r\n`], [400]],
  "two lengths": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`], [400]],
  "a length and chunks": [
    [`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx`],
    [400],
  ],
  "a length that is no number": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: -1\r\n\r\nx`], [400]],
  "an expectation": [[`GET / HTTP/1.1\r\n${HEAD}Expect: the-best\r\n\r\n`], [417]],
  "a body of 1 MB": [[`POST / HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n`, "x".repeat(131_072)], [413]],
  "a body of chunks without an end": [
    [`POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n20000\r\n`, "x".repeat(131_072)],
    [413],
  ],
};

/** The most bytes of a body that the page may read. */
const MOST_BODY = 65_537;

export const BODIES_GROUP: Group = {
  name: "Oversized and malformed requests to the page",
  must: "400, 413, 417 or 431; at most 64 kB of a body is read",
  attacks: () =>
    Promise.resolve(
      Object.entries(REQUESTS).map(([name, [pieces, statuses]]) => ({ name, run: () => requested(pieces, statuses) })),
    ),
};

async function requested(pieces: readonly string[], statuses: readonly number[]): Promise<string> {
  const lengths: number[] = [];
  const server = await startServer(0, systemClock, { graceMs: 50 });
  server.answerWith(async ({ readBody, ...head }) => {
    const body = await readBody(MOST_BODY - 1);
    lengths.push(body.length);
    const isTooLarge = body.length >= MOST_BODY || announcesMore(head, MOST_BODY - 1);
    return { status: isTooLarge ? 413 : 200, headers: {}, body: "" };
  });
  try {
    const socket = connect(server.port, "127.0.0.1");
    for (const piece of pieces) {
      socket.write(piece);
    }
    const answer = await text(socket);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
    law(statuses.includes(status), `the answer was ${status}`);
    law(
      lengths.every((length) => length <= MOST_BODY),
      `the page read ${lengths} bytes`,
    );
    return String(status);
  } finally {
    await server.close();
  }
}

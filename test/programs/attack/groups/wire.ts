import { createServer, type ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createTransport, LIMITS, type TransportOptions } from "../../../../lambda/service/transport.ts";
import { listen, stop } from "../../../support/loopback.ts";
import { CANARY, endedIn, equal, type Group, law } from "../attack.ts";
import { openBench, recovers, SYNC } from "../bench.ts";

/** The client's own time, and the number of body bytes that were given to the operating system. */
interface Meter {
  readonly pass: (ms: number) => void;
  poured: number;
}

/** Writes the answer to a request on the socket. */
type Answers = (response: ServerResponse, meter: Meter) => void;

const PAGE = JSON.stringify({ completedOrders: [] });
const MEGABYTE = 1_000_000;
/**
 * The most bytes of a 100 MB body that may be sent: the limit of 8 MiB, and what the sockets of both sides
 * buffer.
 */
const MOST_POURED = 32 * MEGABYTE;

const ATTACKS: Readonly<Record<string, Answers>> = {
  "gzip that nobody asked for": (response) => end(response, gzipSync(PAGE), { "content-encoding": "gzip" }),
  "brotli that nobody asked for": (response) => end(response, brotliCompressSync(PAGE), { "content-encoding": "br" }),
  "a bomb: 100 MB in 100 kB of gzip": (response) =>
    end(response, gzipSync(Buffer.alloc(100 * MEGABYTE, " ")), { "content-encoding": "gzip" }),
  "a text said to be gzip": (response) => end(response, `<${PAGE}`, { "content-encoding": "gzip" }),
  "100 MB": (response, meter) => pour(response, meter, { "content-length": String(100 * MEGABYTE) }),
  "100 MB without a length": (response, meter) => pour(response, meter),
  "a length that is too long": (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{", () => response.destroy());
  },
  "a header of a megabyte": (response) => end(response, PAGE, { "x-flood": "x".repeat(MEGABYTE) }),
  "ten thousand headers": (response) =>
    end(response, PAGE, Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, "flood"]))),
  "a body that drips, a byte a virtual second": (response, { pass }) => {
    response.writeHead(200);
    const drip = (): void => {
      if (!response.destroyed) {
        response.write(" ", () => {
          pass(1000);
          setImmediate(drip);
        });
      }
    };
    drip();
  },
  "an interim answer for ever": (response, { pass }) => {
    const more = (): void => {
      if (!(response.destroyed || response.writableEnded)) {
        response.writeProcessing();
        pass(1000);
        setImmediate(more);
      }
    };
    more();
  },
  "bytes that are no UTF-8": (response) => end(response, Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  "UTF-16": (response) => end(response, Buffer.from(`\uFEFF${PAGE}`, "utf16le")),
};

const RAW: Readonly<Record<string, string | Buffer>> = {
  "no HTTP": "220 mail.example ESMTP\r\n",
  "a length that is no number": "HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n{}",
  "two lengths": "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
  "a length and chunks":
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  "a chunk of a size that is none": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}",
  "a NUL in a header": "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n{}",
  TLS: Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28]),
  "nothing, and the end": "",
};

export const WIRE: Group = {
  name: "Hostile answers on the wire",
  must: "exit 2, 4 or 5; at most 32 MB of a body is sent; no other host is called; the next run is complete",
  attacks: () =>
    Promise.resolve([
      ...Object.entries(ATTACKS).map(([name, answers]) => ({
        name,
        run: () => tried(answers),
      })),
      ...Object.entries(RAW).map(([name, bytes]) => ({
        name,
        run: () => tried(({ socket }) => socket?.end(bytes)),
      })),
      { name: "a redirect to another server", run: redirected },
    ]),
};

async function tried(answers: Answers): Promise<string> {
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  const time = { passed: 0 };
  const meter: Meter = {
    poured: 0,
    pass(ms) {
      time.passed += ms;
      for (const one of [...timers].filter(({ at }) => at <= time.passed)) {
        timers.delete(one);
        one.then();
      }
    },
  };
  let tries = 0;
  const server = createServer((_, response) => {
    tries += 1;
    answers(response, meter);
  });
  const address = await listen(server);
  try {
    const bench = openBench();
    const connect = (options: TransportOptions) =>
      createTransport({
        ...options,
        address,
        // A silent server on this machine will send nothing more, so short limits suffice.
        limits: { headersMs: 200, bodyMs: 200 },
        after(ms, then) {
          const one = { at: time.passed + ms, then };
          timers.add(one);
          return () => void timers.delete(one);
        },
      });
    const ran = await bench.type(SYNC, { connect });
    endedIn(ran, [2, 4, 5]);
    law(
      time.passed <= tries * (LIMITS.totalMs + 1000),
      `the client waited ${time.passed} virtual ms in ${tries} attempts`,
    );
    law(meter.poured <= tries * MOST_POURED, `${meter.poured} bytes were sent in ${tries} attempts`);
    await recovers(bench);
    return `exit ${ran.code}`;
  } finally {
    await stop(server);
  }
}

/** The server that a redirect names must not receive a request. */
async function redirected(): Promise<string> {
  const heard: string[] = [];
  const elsewhere = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers.authorization === `Bearer ${CANARY}`}`);
    response.end(PAGE);
  });
  const location = `${await listen(elsewhere, 0)}/api/v1/completed-orders`;
  try {
    return await tried((response) => end(response, "", { location }, 302));
  } finally {
    await stop(elsewhere);
    equal(heard, [], "requests to the other server");
  }
}

function end(
  response: ServerResponse,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
) {
  response.writeHead(status, headers);
  response.end(body);
}

/** Sends 100 MB as fast as the client reads them. */
function pour(response: ServerResponse, meter: Meter, headers: Readonly<Record<string, string>> = {}): void {
  const piece = Buffer.alloc(65_536, " ");
  response.writeHead(200, headers);
  response.on("error", () => undefined); // the client hangs up
  let left = 100 * MEGABYTE;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      meter.poured += piece.length;
      if (!response.write(piece)) {
        response.once("drain", more);
        return;
      }
    }
    response.end();
  };
  more();
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../../core/clock.ts";
import { FillbookError } from "../../../core/errors.ts";
import { announcesMore, type PageAnswer, type PageRequest } from "../../request.ts";
import { secured } from "../../security.ts";

/** This machine alone: nothing on the network can connect. */
const LOOPBACK = "127.0.0.1";

/** ms */
export interface Limits {
  /** For the head of a request. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** For answers that are on their way when the server is to end. */
  readonly graceMs: number;
}

const LIMITS: Limits = { headMs: 10_000, requestMs: 30_000, idleMs: 60_000, graceMs: 5000 };
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 64;

export type PageServer = Awaited<ReturnType<typeof startServer>>;

/** A request whose body is on its way. */
export interface Arriving extends Omit<PageRequest, "body"> {
  /** Up to the first byte that is too many. To be asked for once, by who knows who asks: what is not read is refused with the connection. */
  readonly readBody: (mostBytes: number) => Promise<Uint8Array>;
}

export type Answerer = (request: Arriving) => Promise<PageAnswer>;

/** Listens on the loopback address; port 0 is any that is free. Rejects with `usage` when the port cannot be had. */
export async function startServer(asked: number, clock: Clock, given: Partial<Limits> = {}) {
  const limits = { ...LIMITS, ...given };
  const stopping = new AbortController();
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.headMs, 1000),
    requireHostHeader: false, // whoever answers looks at it
  });
  server.timeout = limits.idleMs;
  server.maxConnections = MAX_CONNECTIONS;
  server.on("clientError", refuseConnection);
  server.on("checkExpectation", (_, outgoing: ServerResponse) => {
    send(outgoing, plain(417), true).catch(() => outgoing.destroy());
  });
  const port = await listen(server, asked);
  return {
    port,
    /** To be called as soon as the port is known. What answers must not reject. */
    answerWith(answer: Answerer): void {
      server.on("request", (incoming, outgoing) => {
        serve(answer, stopping.signal, incoming, outgoing).catch(() => outgoing.destroy());
      });
    },
    /** Takes no more requests; resolves when the last answer went out, or was cut off. */
    async close(): Promise<void> {
      stopping.abort();
      const closed = once(server, "close");
      server.close();
      const over = new AbortController();
      const grace = clock.sleep(limits.graceMs, over.signal).catch(() => undefined);
      await Promise.race([closed, grace]);
      over.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, asked: number): Promise<number> {
  server.listen(asked, LOOPBACK);
  try {
    await once(server, "listening");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new FillbookError("usage", `cannot listen on ${LOOPBACK}:${asked}: ${why}`, {
      hint: "give another --port, or leave it out: any that is free is taken",
      cause,
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : asked;
}

async function serve(
  answer: Answerer,
  stopping: AbortSignal,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const answered = await answer(arrivingOf(incoming));
  await send(outgoing, answered, !incoming.complete || stopping.aborted);
}

async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop must not destroy the connection: the answer goes out on it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) {
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, mostBytes + 1);
}

function arrivingOf(incoming: IncomingMessage): Arriving {
  const { method = "", url = "", headers } = incoming;
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? "" : url.slice(queryAt + 1));
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const head = { method, path, query, headers: Object.fromEntries(texts) };
  // What says that it is larger is not read at all.
  const nothing = Promise.resolve(Buffer.alloc(0));
  return {
    ...head,
    readBody: (mostBytes) => (announcesMore(head, mostBytes) ? nothing : readBody(incoming, mostBytes)),
  };
}

async function send(
  outgoing: ServerResponse,
  { status, headers, cookies = [], body }: PageAnswer,
  isLast: boolean,
): Promise<void> {
  const whole = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : null;
  outgoing.writeHead(status, {
    ...headers,
    ...(cookies.length === 0 ? {} : { "set-cookie": [...cookies] }),
    ...(whole === null ? {} : { "content-length": whole.length }),
    ...(isLast ? { connection: "close" } : {}),
  });
  if (whole !== null) {
    outgoing.end(whole);
    return;
  }
  await pipeline(Readable.from(body, { objectMode: false }), outgoing);
}

function plain(status: number): PageAnswer {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return secured({ status, headers, body: `${STATUS_CODES[status]}\n` });
}

const CONNECTION_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is no HTTP, is too large or too slow never becomes a request: the answer is written by hand. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } = plain(CONNECTION_ERRORS[error.code ?? ""] ?? 400);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

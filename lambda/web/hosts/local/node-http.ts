import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../../core/clock.ts";
import { FillbookError } from "../../../core/errors.ts";
import { announcesMore, type PageAnswer, type PageRequest } from "../../request.ts";
import { secured } from "../../security.ts";

/** Loopback only: nothing on the network can connect. */
const LOOPBACK = "127.0.0.1";

/** Time limits in ms. */
export interface Limits {
  /** For a request's headers. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** For answers in progress when the server is closed. */
  readonly graceMs: number;
}

const LIMITS: Limits = { headMs: 10_000, requestMs: 30_000, idleMs: 60_000, graceMs: 5000 };
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 64;

export type PageServer = Awaited<ReturnType<typeof startServer>>;

/** A request whose body was not read yet. */
export interface Arriving extends Omit<PageRequest, "body"> {
  /**
   * Reads the body up to one byte beyond the limit. Call it at most once, and only for identified users. If
   * part of the body stays unread, the connection is closed after the answer.
   */
  readonly readBody: (mostBytes: number) => Promise<Uint8Array>;
}

export type Answerer = (request: Arriving) => Promise<PageAnswer>;

/**
 * Listens on the loopback address; port 0 means any free port. Rejects with `usage` if the port is not
 * available.
 */
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
    /** Call it as soon as the port is known. `answer` must not reject. */
    answerWith(answer: Answerer): void {
      server.on("request", (incoming, outgoing) => {
        serve(answer, stopping.signal, incoming, outgoing).catch(() => outgoing.destroy());
      });
    },
    /** Accepts no more requests. Resolves after the last answer was sent or cut off. */
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
      hint: "give another --port, or leave it out to use any free port",
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
  // Leaving the loop must not destroy the connection, because the answer is sent on it.
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

/**
 * For connections that send no valid HTTP, too much, or too slowly. They never become a request, so the
 * answer is written by hand.
 */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } = plain(CONNECTION_ERRORS[error.code ?? ""] ?? 400);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

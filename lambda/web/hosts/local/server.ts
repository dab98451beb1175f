import { once } from "node:events";
import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Clock } from "../../../core/clock.ts";
import { FillbookError } from "../../../core/errors.ts";

/** Loopback only: nothing on the network can connect. */
const LOOPBACK = "127.0.0.1";

/** Without a byte in either direction. Node limits headers by itself (16 KiB, a minute), and requests (5 minutes). */
const IDLE_MS = 60_000;
/** For answers in progress when the server is closed. */
const GRACE_MS = 5000;
const MAX_CONNECTIONS = 64;

export type Answerer = (request: Request, env: HttpBindings) => Response | Promise<Response>;

export type PageServer = Awaited<ReturnType<typeof startServer>>;

/**
 * Listens on the loopback address; port 0 means any free port. `answerer` is called once the port is known.
 * Rejects with `usage` if the port is not available.
 */
export async function startServer(asked: number, clock: Clock, answerer: (port: number) => Answerer) {
  let answer: Answerer | null = null;
  const server = createAdaptorServer({
    fetch: (request, env) => answer?.(request, env as HttpBindings),
  }) as Server; // it makes one of node:http
  server.timeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, asked);
  answer = answerer(port);
  return {
    port,
    /** Accepts no more requests. Resolves after the last answer was sent or cut off. */
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      const over = new AbortController();
      const grace = clock.sleep(GRACE_MS, over.signal).catch(() => undefined);
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

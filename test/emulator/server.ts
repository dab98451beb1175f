import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as timer } from "node:timers/promises";
import { listen, stop } from "../support/loopback.ts";
import { createEmulator, type Emulator, type EmulatorOptions, SAMPLE_TOKEN } from "./core.ts";
import type { EmulatorHost, EmulatorRequest, HttpAnswer } from "./wire.ts";

export type RunningEmulator = Awaited<ReturnType<typeof startEmulator>>;

/** Starts the emulator as two hosts on this machine: `http://127.0.0.1:<port>`, each with its own port. */
export async function startEmulator(options: EmulatorOptions = {}) {
  const emulator = createEmulator(options);
  const stopping = new AbortController();
  const servers: Server[] = [];
  const awaited: { readonly nth: number; readonly resolve: () => void }[] = [];
  let requests = 0;
  const start = (host: EmulatorHost): Promise<string> => {
    const server = createServer((incoming, outgoing) => {
      serve(emulator, host, incoming, outgoing, stopping.signal).catch(() => outgoing.destroy());
      requests += 1;
      for (const { resolve } of awaited.filter(({ nth }) => nth === requests)) {
        resolve();
      }
    });
    servers.push(server);
    return listen(server);
  };
  const accountUrl = await start("account");
  const marketDataUrl = await start("market-data");
  return {
    accountUrl,
    marketDataUrl,
    emulator,
    /** The settings of a program that reads twice at once, and keeps its books in this store. */
    environment: (store: string) => ({
      FILLBOOK_ACCOUNT_URL: accountUrl,
      FILLBOOK_MARKET_DATA_URL: marketDataUrl,
      FILLBOOK_TOKEN: SAMPLE_TOKEN,
      FILLBOOK_STORE: store,
      FILLBOOK_HURRY: "1",
    }),
    /** Resolves at the `count`-th request from now on; never, if fewer come. */
    requested: (count: number) => new Promise<void>((resolve) => awaited.push({ nth: requests + count, resolve })),
    /** Ends every connection, also those that hang. */
    async close() {
      stopping.abort();
      await Promise.all(servers.map(stop));
    },
  };
}

async function serve(
  emulator: Emulator,
  host: EmulatorHost,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = readRequest(incoming, host);
  const answer = emulator.handle(request, Date.now());
  if (answer.latencyMs > 0) {
    await timer(answer.latencyMs, undefined, { signal });
  }
  if (!("fault" in answer)) {
    return await sendAnswer(answer, outgoing, signal);
  }
  switch (answer.fault) {
    case "hang":
      return;
    case "reset":
      incoming.socket.resetAndDestroy();
      return;
    case "cut": {
      const body = Buffer.from(answer.answer.body);
      outgoing.writeHead(answer.answer.status, { ...answer.answer.headers, "content-length": body.length + 1 });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.destroy());
    }
  }
}

function readRequest(incoming: IncomingMessage, host: EmulatorHost): EmulatorRequest {
  const url = new URL(incoming.url ?? "/", "http://localhost");
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { method: incoming.method ?? "GET", host, path: url.pathname, query: url.searchParams, headers };
}

async function sendAnswer(answer: HttpAnswer, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const body = Buffer.from(answer.body);
  const length = body.length + (answer.paddingBytes ?? 0);
  outgoing.writeHead(answer.status, { ...answer.headers, "content-length": length });
  await pipeline(bodyPieces(answer, body, signal), outgoing);
}

const PADDING = Buffer.alloc(65_536, " ");

async function* bodyPieces(answer: HttpAnswer, body: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { pieces, everyMs } = answer.slow ?? { pieces: 1, everyMs: 0 };
  const size = Math.ceil(body.length / pieces);
  for (let at = 0; at < body.length; at += size) {
    if (everyMs > 0) {
      await timer(everyMs, undefined, { signal });
    }
    yield body.subarray(at, at + size);
  }
  for (let left = answer.paddingBytes ?? 0; left > 0; left -= PADDING.length) {
    yield PADDING.subarray(0, left);
  }
}

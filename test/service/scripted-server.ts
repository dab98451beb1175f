import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One answer of the script: it reads the request and writes the response. */
export type Scripted = (response: ServerResponse, request: IncomingMessage & { readonly text: string }) => void;

export interface ScriptedServer {
  readonly url: string;
  /** The requests, in order. */
  readonly requests: readonly Asked[];
  /** How many sockets are open now. */
  readonly sockets: () => number;
  readonly close: () => Promise<void>;
}

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Closes `opened` when the test ends. */
export function closedAfterwards<T extends { close(): Promise<void> }>(opened: T): T {
  onTestFinished(() => opened.close());
  return opened;
}

/**
 * A host on this machine, for one test. It answers by the script; the last entry answers all further
 * requests.
 */
export async function serving(...script: readonly Scripted[]): Promise<ScriptedServer> {
  const requests: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      const line = script[Math.min(requests.length, script.length - 1)];
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: text });
      line?.(response, Object.assign(request, { text }));
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return closedAfterwards({
    url: `http://127.0.0.1:${port}`,
    requests,
    sockets: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scripted {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Announces more bytes than it sends, and hangs up. */
export const cut: Scripted = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"completedOrders":[');
  response.socket?.end();
};

/** Hangs up without an answer. */
export const reset: Scripted = (response) => {
  response.socket?.destroy();
};

/** Never answers. */
export const hang: Scripted = () => undefined;

/** Sends its headers and the first byte of a body, and no more. */
export const stall: Scripted = (response) => {
  response.writeHead(200);
  response.write("{");
};

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listen, stop } from "../support/loopback.ts";

/** One answer of the script: it reads the request and writes the response. */
export type Scripted = (response: ServerResponse, request: IncomingMessage & { readonly text: string }) => void;

interface ScriptedServer {
  readonly url: string;
  /** The requests, in order. */
  readonly requests: readonly Asked[];
  readonly close: () => Promise<void>;
}

interface Asked {
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
  const url = await listen(server);
  return closedAfterwards({ url, requests, close: () => stop(server) });
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

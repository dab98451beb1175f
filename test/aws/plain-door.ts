import { createServer } from "node:http";
import { request } from "node:https";
import { listen, stop } from "../support/loopback.ts";

/**
 * MiniStack asks itself for a user pool's keys by plain http, at the port where it speaks TLS alone
 * (apigateway.py, `_resolve_jwks_url`). It asks as Python does, through `http_proxy`: this is that proxy. It
 * asks the same by TLS, and of this machine alone.
 */
export interface PlainDoor {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** `ca`: the certificate that the other side has, PEM. */
export async function openPlainDoor(ca: string): Promise<PlainDoor> {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? "", "http://nowhere.invalid");
    if (hostname !== "127.0.0.1" || incoming.method !== "GET") {
      outgoing.writeHead(403).end();
      return;
    }
    const asked = request({ hostname, port, path: pathname + search, ca }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.writeHead(502).end());
    asked.end();
  });
  const url = await listen(server);
  return { url, close: () => stop(server) };
}

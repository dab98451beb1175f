import { createServer } from "node:http";
import { request } from "node:https";
import { listen, stop } from "../support/loopback.ts";

/**
 * A proxy for MiniStack. MiniStack requests a user pool's keys from itself by plain http, at a port where it
 * accepts only TLS (apigateway.py, `_resolve_jwks_url`). Python sends that request through `http_proxy`,
 * which is this proxy. It repeats the request by TLS, and only to this machine. `ca`: MiniStack's certificate, PEM.
 */
export async function openPlainDoor(ca: string) {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? "", "http://nowhere.invalid");
    if (hostname !== "localhost" || incoming.method !== "GET") {
      outgoing.writeHead(403).end();
      return;
    }
    const asked = request({ hostname: "127.0.0.1", port, path: pathname + search, ca }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.writeHead(502).end());
    asked.end();
  });
  const url = await listen(server);
  return { url, close: () => stop(server) };
}

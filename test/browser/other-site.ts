import { createServer } from "node:http";
import { listen, stop } from "../support/loopback.ts";

/**
 * Another server on this machine. To the browser it is on the page's own host (`127.0.0.1`) or on another one
 * (`localhost`).
 */
export interface OtherSite {
  readonly port: number;
  /** Paths of all requests. */
  readonly asked: string[];
  /** All cookies received. */
  readonly cookies: string[];
  readonly close: () => Promise<void>;
}

/** Serves these pages, by path. */
export async function startOtherSite(pages: Readonly<Record<string, string>> = {}): Promise<OtherSite> {
  const asked: string[] = [];
  const cookies: string[] = [];
  const server = createServer(({ url = "", headers }, outgoing) => {
    asked.push(url);
    cookies.push(...(headers.cookie === undefined ? [] : [headers.cookie]));
    outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    outgoing.end(pages[url] ?? "");
  });
  const port = Number(new URL(await listen(server)).port);
  return { port, asked, cookies, close: () => stop(server) };
}

import { createServer } from "node:http";
import { listen, stop } from "../support/loopback.ts";

/**
 * Somebody else's server on this machine: the browser sees it as the page's neighbour (`127.0.0.1`) or as a
 * stranger (`localhost`).
 */
export interface OtherSite {
  readonly port: number;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** All that came as cookies. */
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

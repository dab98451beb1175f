import { createServer } from "node:http";
import { listen, stop } from "../support/loopback.ts";

export type OtherSite = Awaited<ReturnType<typeof startOtherSite>>;

/**
 * Another server on this machine, with these pages by path. To the browser it is on the page's own host (`127.0.0.1`)
 * or on another one (`localhost`).
 */
export async function startOtherSite(pages: Readonly<Record<string, string>> = {}) {
  /** Paths of all requests, and all cookies received. */
  const [asked, cookies]: [string[], string[]] = [[], []];
  const server = createServer(({ url = "", headers }, outgoing) => {
    asked.push(url);
    cookies.push(...(headers.cookie === undefined ? [] : [headers.cookie]));
    outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    outgoing.end(pages[url] ?? "");
  });
  const port = Number(new URL(await listen(server)).port);
  return { port, asked, cookies, close: () => stop(server) };
}

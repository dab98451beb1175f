import { Hono } from "hono";
import { systemClock } from "../../lambda/core/clock.ts";
import { startServer } from "../../lambda/web/hosts/local/server.ts";
import { REPORT_POLICY, securityHeaders } from "../../lambda/web/security.ts";
import { SCRIPT_ASSET, STYLE_ASSET } from "../../lambda/web/views/assets.ts";
import type { Sample } from "../web/views/samples.ts";

export type SampleSite = Awaited<ReturnType<typeof serveSamples>>;

const REPORT = "<!DOCTYPE html><title>Statement</title><p>of main</p>";

/** Serves each page by its name, with the site's own headers, style and script. */
export async function serveSamples(samples: readonly Sample[]) {
  const pages = new Hono().use(securityHeaders);
  for (const { path, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    pages.get(path, (c) => c.body(text, 200, { "content-type": type }));
  }
  for (const { name, page } of samples) {
    pages.get(`/${name}`, (c) => c.html(page));
  }
  pages.get("*", (c) =>
    c.req.path.endsWith("/report") ? c.html(REPORT, 200, { "content-security-policy": REPORT_POLICY }) : c.notFound(),
  );
  const server = await startServer(0, systemClock, () => (request) => pages.fetch(request));
  return { origin: `http://127.0.0.1:${server.port}`, close: () => server.close() };
}

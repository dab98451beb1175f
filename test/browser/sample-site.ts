import { systemClock } from "../../lambda/core/clock.ts";
import { startServer } from "../../lambda/web/hosts/local/node-http.ts";
import type { PageAnswer } from "../../lambda/web/request.ts";
import { REPORT_POLICY, secured } from "../../lambda/web/security.ts";
import { fakePorts, testedSite } from "../web/site/fake-site.ts";
import type { Sample } from "../web/views/samples.ts";

export type SampleSite = Awaited<ReturnType<typeof serveSamples>>;

const HTML = { "content-type": "text/html; charset=utf-8" };

const REPORT: PageAnswer = {
  status: 200,
  headers: { ...HTML, "content-security-policy": REPORT_POLICY },
  body: "<!DOCTYPE html><title>Statement</title><p>of main</p>",
};

/** Serves each page by its name, as the site sends it, with the site's own style and script. */
export async function serveSamples(samples: readonly Sample[]) {
  const pages = new Map(samples.map(({ name, page }) => [`/${name}`, page]));
  const site = testedSite(fakePorts());
  const server = await startServer(0, systemClock);
  server.answerWith(async ({ path }): Promise<PageAnswer> => {
    const page = pages.get(path);
    if (page !== undefined) {
      return secured({ status: 200, headers: HTML, body: page });
    }
    return path.endsWith("/report") ? secured(REPORT) : await site.ask(path, { user: null });
  });
  return { origin: `http://127.0.0.1:${server.port}`, close: () => server.close() };
}

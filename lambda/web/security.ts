import { hash, timingSafeEqual } from "node:crypto";
import { secureHeaders } from "hono/secure-headers";
import type { PageMiddleware } from "./page-context.ts";
import { notFromThere } from "./routes/answers.ts";

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Only a report has a content policy of its own. */
export const securityHeaders: PageMiddleware = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NONE,
    styleSrc: SELF,
    scriptSrc: SELF,
    connectSrc: SELF,
    imgSrc: ["'self'", "data:"],
    formAction: SELF,
    baseUri: NONE,
    frameAncestors: NONE,
  },
  originAgentCluster: false, // it would have to be on every answer of the origin
  overwrite: false,
});

/** For a pack's report: it can run and load nothing, whatever it contains. */
export const REPORT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Refuses what another site's page sends (a post) or loads. A page of another site may only link here.
 * `origin`: as the browser sends it; null: the one that the request names.
 */
export function fromHere(origin: string | null): PageMiddleware {
  return async (c, next) => {
    const site = c.req.header("sec-fetch-site");
    const isOurs = site === "same-origin" || c.req.header("origin") === (origin ?? new URL(c.req.url).origin);
    if (c.req.method === "POST") {
      return isOurs ? await next() : notFromThere(c, "a post from elsewhere");
    }
    const isVisit = c.req.header("sec-fetch-mode") === "navigate" && c.req.header("sec-fetch-dest") === "document";
    const isElsewhere = site !== undefined && site !== "none";
    return isOurs || isVisit || !isElsewhere ? await next() : notFromThere(c, "loaded by another site");
  };
}

/** Compares in constant time, so that the time reveals neither text. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}

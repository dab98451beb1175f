import { hash, timingSafeEqual } from "node:crypto";
import type { PageAnswer, PageRequest, Refusal } from "./request.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** For a pack's report: it can run and load nothing, whatever it contains. */
export const REPORT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Adds the headers that every answer has. Only a report has a content policy of its own. */
export function secured(answer: PageAnswer): PageAnswer {
  return { ...answer, headers: { ...SECURITY_HEADERS, ...answer.headers } };
}

/** Secures an answer, and logs it if it is a refusal. `user`: who sent the request. */
export function settled(
  { refused: why, ...answer }: PageAnswer,
  { method, path }: PageRequest,
  user: string,
  refused: (refusal: Refusal) => void,
): PageAnswer {
  if (why !== undefined) {
    refused({ user, method, path, status: answer.status, why });
  }
  return secured(answer);
}

/** Compares in constant time, so that the time reveals neither text. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}

/** Why a request that changes something does not come from one of our pages; null if it does. */
export function foreignPost({ headers }: PageRequest, origin: string): string | null {
  const from = headers["origin"];
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") {
    return "a post from another site";
  }
  // Without a referrer, browsers send the origin `null`; those that do so always send sec-fetch-site too.
  return from === origin || (from === "null" && site === "same-origin") ? null : "a post from another origin";
}

/**
 * Why a request is not a visit by the user but another site's page loading our content; null if it is a
 * visit.
 */
export function loadedFrom({ headers }: PageRequest): string | null {
  const site = headers["sec-fetch-site"];
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return isOurs || isVisit ? null : "loaded by another site";
}

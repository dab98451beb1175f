import { hash, timingSafeEqual } from "node:crypto";
import type { PageAnswer, PageRequest, Refusal } from "./request.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Of a pack's report: nothing runs and nothing is loaded, whatever it holds. */
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

/** With the headers that every answer bears. Only a report has a policy of its own. */
export function secured(answer: PageAnswer): PageAnswer {
  return { ...answer, headers: { ...SECURITY_HEADERS, ...answer.headers } };
}

/** As it goes out: secured; of one that is not what was asked for, the log hears. `user`: who asked. */
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

/** Compared in a time that tells nothing of either text. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}

/** Why a request that changes something did not come from a page of ours; null: it did. */
export function foreignPost({ headers }: PageRequest, origin: string): string | null {
  const from = headers["origin"];
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") {
    return "a post from another site";
  }
  // Where no referrer is sent, browsers write `null`; those that do always say which site it is as well.
  return from === origin || (from === "null" && site === "same-origin") ? null : "a post from another origin";
}

/** Why a request is not one that leads the user here, but another page's that loads what is here into itself; null: it is not. */
export function loadedFrom({ headers }: PageRequest): string | null {
  const site = headers["sec-fetch-site"];
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  const isVisit = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return isOurs || isVisit ? null : "loaded by another site";
}

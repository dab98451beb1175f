import type { User } from "./ports.ts";

/** A request, as the page's host received it. */
export interface PageRequest {
  readonly method: string;
  /** As received: percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A host need not read more of it than `mostBodyBytes` and one. */
  readonly body: Uint8Array;
}

/** Of a form without a file. */
export const MAX_BODY_BYTES = 65_536;

/** Whether the request puts up a file. */
export function isUpload({ method, path }: Pick<PageRequest, "method" | "path">): boolean {
  return method === "POST" && /^\/a\/[^/]+\/files$/.test(path);
}

/** `mostFileBytes`: of a file that is put up. */
export function mostBodyBytes(request: Pick<PageRequest, "method" | "path">, mostFileBytes: number): number {
  return isUpload(request) ? mostFileBytes + MAX_BODY_BYTES : MAX_BODY_BYTES;
}

/** Whether more is sent, as far as the request's head says it. */
export function announcesMore({ headers }: Pick<PageRequest, "headers">, mostBytes: number): boolean {
  return Number(headers["content-length"] ?? 0) > mostBytes;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `set-cookie` headers. */
  readonly cookies?: readonly string[];
  /** Pieces are requested one by one while the answer is sent. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Why the answer is a refusal: a few words, for the log only. */
  readonly refused?: string;
}

/** The signed-in user, as the host knows from the session. */
export interface Visitor {
  readonly user: User;
  /** The session's own token; every form sends it back. */
  readonly csrf: string;
  /** The page's origin, as the browser sends it in Origin: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Ends the session; the answer leads to the next page. */
  readonly signOut: () => Promise<PageAnswer>;
}

/** A request that was refused. */
export interface Refusal {
  readonly user: string;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly status: number;
  /** A few words, for the log only. */
  readonly why: string;
}

/**
 * The value of a cookie; null if there is none of this name. Another host of the same site cannot set a name
 * that begins with `__Host-`, so the first one counts.
 */
export function cookieOf({ headers }: Pick<PageRequest, "headers">, name: string): string | null {
  for (const pair of (headers["cookie"] ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) {
      return pair.slice(at + 1).trim();
    }
  }
  return null;
}

import type { User } from "./ports.ts";

/** What was asked, as a host of the page took it from its wire. */
export interface PageRequest {
  readonly method: string;
  /** As it came: percent-encoded, without what follows a `?`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
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
  /** Each is a `set-cookie` header. */
  readonly cookies?: readonly string[];
  /** Pieces are asked for one by one, as they go out. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Why it is not what was asked for: a few words, for the log alone. */
  readonly refused?: string;
}

/** Who asks, as the host knows from their session. */
export interface Visitor {
  readonly user: User;
  /** Of this session alone; every form sends it back. */
  readonly csrf: string;
  /** Where the page is, as the browser writes it into Origin: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** Ends the session; the answer says where to go. */
  readonly signOut: () => Promise<PageAnswer>;
}

/** A request that is not answered with what it asked for. */
export interface Refusal {
  readonly user: string;
  readonly method: string;
  /** Without what follows the `?`, which may hold a key. */
  readonly path: string;
  readonly status: number;
  /** A few words, for the log alone. */
  readonly why: string;
}

/**
 * The value of a cookie; null: there is none of this name. Names that begin with `__Host-` cannot be set by
 * another host of the same site, so that the first is the only one.
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

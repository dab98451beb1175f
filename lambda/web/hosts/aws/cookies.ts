/** Whoever has it is signed in: the access token. */
export const SESSION = "__Host-fillbook";
/** Gets the next access token. */
export const REFRESH = "__Host-fillbook-refresh";
/** Of a sign-in in progress. */
export const FLOW = "__Host-fillbook-flow";

/**
 * The value under this name in a request's header; null: none. Names that begin with `__Host-` cannot be set by another host of the same site, so that the
 * first is the only one.
 */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) {
      return pair.slice(at + 1).trim();
    }
  }
  return null;
}

const HOST_ONLY = "Path=/; Secure; HttpOnly";

/** Sent by this page's own requests alone, and forgotten with the browser's session. */
export function sessionCookie(name: string, value: string): string {
  return `${name}=${value}; ${HOST_ONLY}; SameSite=Strict`;
}

/** Sent as well when another site leads back here. */
export function flowCookie(value: string, maxAgeSeconds: number): string {
  return `${FLOW}=${value}; ${HOST_ONLY}; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
}

export function forgotten(name: string): string {
  return `${name}=; ${HOST_ONLY}; SameSite=${name === FLOW ? "Lax" : "Strict"}; Max-Age=0`;
}

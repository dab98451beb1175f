const LONGEST = 1024;
/** Paths that only sign in or out: not a place to return to after signing in. */
const OWN = /^\/(?:sign-in|signed-in|sign-out|signed-out)(?:[?]|$)/;
/**
 * One slash, then neither a second slash nor a backslash, which browsers treat as a slash. The rest may
 * contain no line ends, invisible characters or backslashes.
 */
const ON_THIS_ORIGIN = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u;

/**
 * Path and query on this origin as a browser would request them: ASCII, percent-encoded. Any other text
 * becomes `/`.
 */
export function returnPath(asked: string | undefined): string {
  const url =
    asked !== undefined && asked.length <= LONGEST && ON_THIS_ORIGIN.test(asked) ? URL.parse(asked, ANY_ORIGIN) : null;
  const path = `${url?.pathname ?? "/"}${url?.search ?? ""}`;
  return ON_THIS_ORIGIN.test(path) && !OWN.test(path) ? path : "/"; // dots that were resolved can leave two slashes
}

/** A path that begins with one slash resolves to this origin. */
const ANY_ORIGIN = "https://page.invalid";

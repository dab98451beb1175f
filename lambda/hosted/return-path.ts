const LONGEST = 1024;
/** Where to go after signing in that would only sign in or out again. */
const OWN = /^\/(?:sign-in|signed-in|sign-out|signed-out)(?:[?]|$)/;
/** One slash, then no other and no backslash, which browsers read as one; of the rest, what ends a header or is invisible. */
const ON_THIS_ORIGIN = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u;

/** Path and query on this origin, as a browser would ask for them: ASCII, percent-encoded. What is anything else is `/`. */
export function returnPath(asked: string | null, origin: string): string {
  if (asked === null || asked.length > LONGEST || !ON_THIS_ORIGIN.test(asked) || !URL.canParse(asked, origin)) {
    return "/";
  }
  const url = new URL(asked, origin);
  const path = `${url.pathname}${url.search}`;
  return url.origin === origin && ON_THIS_ORIGIN.test(path) && !OWN.test(path) ? path : "/";
}

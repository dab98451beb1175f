const LONGEST = 1024;
/** Where to go after signing in that would only sign in or out again. */
const OWN = /^\/(?:sign-in|signed-in|sign-out|signed-out)(?:[?]|$)/;
/** One slash, then no other and no backslash, which browsers read as one; of the rest, what ends a header or is invisible. */
const ON_THIS_ORIGIN = /^\/(?![/\\])[^\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u;

/** Path and query on this origin, as a browser would ask for them: ASCII, percent-encoded. What is anything else is `/`. */
export function returnPath(asked: string | null): string {
  const url =
    asked !== null && asked.length <= LONGEST && ON_THIS_ORIGIN.test(asked) ? URL.parse(asked, ANY_ORIGIN) : null;
  const path = `${url?.pathname ?? "/"}${url?.search ?? ""}`;
  return ON_THIS_ORIGIN.test(path) && !OWN.test(path) ? path : "/"; // dots that were resolved can leave two slashes
}

/** What is resolved against it and begins with one slash has no origin of its own. */
const ANY_ORIGIN = "https://page.invalid";

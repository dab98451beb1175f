import { FillbookError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { describe, isJsonRecord, MAX_DEPTH, parseLossless } from "../formats/json.ts";

/**
 * Parses a body and keeps the source text of its numbers. Where an object has a key twice, a text comes instead of the
 * whole item of a list, or else of the body: it is no row, no specification and no page. `endpoint` is for the message.
 * @throws FillbookError `incomplete` if the body is not JSON (cut, or an error page): another answer may be.
 * `untrusted` if it is nested too deep to be read with source texts.
 */
export function parseJson(endpoint: string, body: string, keepsNumbers?: boolean): unknown {
  try {
    const value = parseLossless(body, keepsNumbers);
    const most = body.match(/"\s*:/g)?.length ?? 0;
    return most === keysIn(value) ? value : parseLossless(repeatsAsTexts(body), keepsNumbers);
  } catch (error) {
    // V8 parses without recursion but revives with it. Its own message quotes the body, so it is not
    // repeated.
    if (error instanceof RangeError) {
      throw new FillbookError("untrusted", `${endpoint}: the answer is nested too deeply`);
    }
    const excerpt = body === "" ? "it is empty" : `${counted(body.length, "character")} that begin ${describe(body)}`;
    throw new FillbookError("incomplete", `${endpoint}: the answer is not complete JSON: ${excerpt}`);
  }
}

/** So many keys a value has; those deeper than MAX_DEPTH are left out. */
function keysIn(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) {
    return 0;
  }
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  const nested = inner.filter((one) => typeof one === "object");
  return nested.reduce((sum: number, one) => sum + keysIn(one, depth + 1), isJsonRecord(value) ? inner.length : 0);
}

/** Writes what has a key twice as a text: JSON.parse would show the last value alone. */
function repeatsAsTexts(body: string): string {
  let [text, done] = ["", 0];
  for (const [{ from, to }, key] of repeatsIn(body)) {
    if (from >= done) {
      text += body.slice(done, from) + JSON.stringify(`${key} twice: ${body.slice(from, to)}`);
      done = to;
    }
  }
  return text + body.slice(done);
}

/** An object or a list of a body. `keys`: null of a list, and of what is nested too deep to be kept. */
interface Sent {
  readonly from: number;
  to: number;
  readonly keys: Set<string> | null;
}

/** A bracket, or a text, with the colon that makes it a key. */
const TOKEN = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** The items of lists in which an object has a key twice, or the body, and the key. */
function repeatsIn(body: string): readonly (readonly [Sent, string])[] {
  const open: Sent[] = [];
  const found = new Map<Sent, string>();
  for (const { 0: token, 1: colon, index } of body.matchAll(TOKEN)) {
    const own = open.at(-1) as Sent; // of valid JSON only "{" and "[" stand in nothing
    if (token === "{" || token === "[") {
      const keys = token === "[" || open.length > MAX_DEPTH ? null : new Set<string>();
      open.push({ from: index, to: body.length, keys });
    } else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      if (own.keys?.has(key) === true) {
        found.set(open[open.findIndex(({ keys }) => keys === null) + 1] as Sent, key);
      }
      own.keys?.add(key);
    } else if (!token.startsWith('"')) {
      own.to = index + 1;
      open.pop();
    }
  }
  return [...found].sort(([a], [b]) => a.from - b.from);
}

import { type Fields, fieldsOf, isRecord } from "../../../core/record.ts";
import { mostBodyBytes, type PageRequest } from "../../request.ts";

/** The claims of the token that API Gateway checked, by name. */
export type Claims = Fields;

/**
 * Of a file that is put up. A function is called with at most 6 MB (6,291,456 bytes), in which four bytes of
 * base64 stand for three; the form around the file and the event around the form take the rest.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const MOST_FILE_BYTES = 4_500_000;

export interface HostedRequest {
  readonly request: PageRequest;
  /** Null if the route has no authorizer, so that nobody was identified. */
  readonly claims: Claims | null;
}

/** Parses an event of an HTTP API, payload format 2.0. Null if it is not one. */
export function readEvent(event: unknown): HostedRequest | null {
  const { rawPath, rawQueryString, headers, cookies, body, isBase64Encoded, requestContext } = fieldsOf(event);
  const { http, authorizer } = fieldsOf(requestContext);
  const { method } = fieldsOf(http);
  if (typeof rawPath !== "string" || typeof method !== "string") {
    return null;
  }
  const { claims } = fieldsOf(fieldsOf(authorizer)["jwt"]);
  const path = encodedPath(rawPath);
  const mostBytes = mostBodyBytes({ method, path }, MOST_FILE_BYTES) + 1;
  return {
    request: {
      method,
      path,
      query: new URLSearchParams(typeof rawQueryString === "string" ? rawQueryString : ""),
      headers: { ...textsOf(headers), ...cookieHeader(cookies) },
      body: typeof body === "string" ? bodyOf(body, isBase64Encoded === true, mostBytes) : Buffer.alloc(0),
    },
    claims: isRecord(claims) ? claims : null,
  };
}

/**
 * Everything that an encoded path cannot contain: all but `pchar`, the slash and percent-encoded bytes (RFC
 * 3986, 3.3).
 */
const NOT_OF_A_PATH = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu;

/**
 * An HTTP API sends the path decoded; other senders of the same event send it as it came. Characters that no
 * encoded path can contain are encoded again, so that both give the same words. Only a word with a slash or a
 * percent sign is ambiguous. No name of ours contains either, and the path is split into words before they
 * are decoded, so such a word is looked up and not found.
 */
function encodedPath(path: string): string {
  return path.toWellFormed().replaceAll(NOT_OF_A_PATH, encodeURIComponent);
}

/** With lower-case names, as the rest of the page expects. */
function textsOf(headers: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(headers)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value]] : [],
    ),
  );
}

/** This format lists cookies apart from the headers, one `name=value` each. */
function cookieHeader(cookies: unknown): Readonly<Record<string, string>> {
  return Array.isArray(cookies) ? { cookie: cookies.filter((one) => typeof one === "string").join("; ") } : {};
}

/** No more of it than so many bytes. */
function bodyOf(body: string, isBase64: boolean, most: number): Uint8Array {
  const bytes = isBase64
    ? Buffer.from(body.slice(0, 4 * Math.ceil(most / 3)), "base64")
    : Buffer.from(body.slice(0, most));
  return bytes.subarray(0, most);
}

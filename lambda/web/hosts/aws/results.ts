import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { bytesUpTo, orTooMany, type Pieces, upTo } from "../../bytes-up-to.ts";
import type { PageAnswer, PageRequest } from "../../request.ts";

/** A function's answer has at most 6 MB of JSON; base64 needs four bytes for three. */
export const MOST_SENT_BYTES = 4_600_000;
/**
 * The most that is compressed before it is sent: compressing takes time and memory even if the result is
 * small.
 */
const MOST_PACKED_BYTES = 64_000_000;
const WORTH_PACKING_BYTES = 1024;

export type HostedResult = APIGatewayProxyStructuredResultV2;

/**
 * The answer in the API's form, compressed if that is worthwhile and the browser accepts it; null if it is
 * too large to send.
 */
export async function resultOf(
  { status, headers, cookies = [], body }: PageAnswer,
  { headers: asked }: Pick<PageRequest, "headers">,
): Promise<HostedResult | null> {
  const isText = TEXT.test(headers["content-type"] ?? "");
  const { "content-length": _, ...others } = headers; // it is the API's to say, of what goes out
  const common = {
    statusCode: status,
    headers: { ...others, ...(isText ? { vary: "accept-encoding" } : {}) },
    cookies: [...cookies],
  };
  const whole = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : null;
  if (whole !== null && whole.length < WORTH_PACKING_BYTES && isText) {
    return { ...common, body: whole.toString(), isBase64Encoded: false };
  }
  const isPacked = isText && readsGzip(asked["accept-encoding"] ?? "");
  const pieces = whole === null ? (body as AsyncIterable<Uint8Array>) : [whole]; // all that is not whole
  const bytes = await (isPacked ? packed(pieces) : bytesUpTo(pieces, MOST_SENT_BYTES));
  if (bytes === null) {
    return null;
  }
  return {
    ...common,
    headers: { ...common.headers, ...(isPacked ? { "content-encoding": "gzip" } : {}) },
    body: bytes.toString("base64"),
    isBase64Encoded: true,
  };
}

const TEXT = /^(?:text\/|application\/(?:json|xml)\b|image\/svg\+xml)/;

/** RFC 9110, 12.5.3: gzip or `*` is listed with a weight above 0. */
function readsGzip(acceptEncoding: string): boolean {
  return acceptEncoding
    .split(",")
    .some((one) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(one));
}

function packed(pieces: Pieces): Promise<Buffer | null> {
  const sent = pipeline(upTo(pieces, MOST_PACKED_BYTES), createGzip(), (gzip) => buffer(upTo(gzip, MOST_SENT_BYTES)));
  return orTooMany(sent);
}

import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { bytesUpTo, orTooMany, type Pieces, upTo } from "../../bytes-up-to.ts";
import type { PageAnswer, PageRequest } from "../../request.ts";

/** A function's answer is at most 6 MB of JSON; in base64 four bytes stand for three. */
export const MOST_SENT_BYTES = 4_600_000;
/** Of what is packed before it is sent: it takes time and memory also where it comes out small. */
const MOST_PACKED_BYTES = 64_000_000;
const WORTH_PACKING_BYTES = 1024;

export type HostedResult = APIGatewayProxyStructuredResultV2;

/** The answer as the API takes it, packed where that is worth it and the browser reads it; null: it is too large to be sent. */
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

/** RFC 9110, 12.5.3: named, or any, and not with a weight of none. */
function readsGzip(acceptEncoding: string): boolean {
  return acceptEncoding
    .split(",")
    .some((one) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(one));
}

function packed(pieces: Pieces): Promise<Buffer | null> {
  const sent = pipeline(upTo(pieces, MOST_PACKED_BYTES), createGzip(), (gzip) => buffer(upTo(gzip, MOST_SENT_BYTES)));
  return orTooMany(sent);
}

import type { IncomingHttpHeaders } from "node:http";
import { crc32 } from "node:zlib";

export interface S3Body {
  readonly bytes: Buffer;
  /** The base64 CRC32 sent with the body, in a header or a trailer. */
  readonly crc32: string | undefined;
}

/**
 * The body as S3 would store it: without the aws-chunked framing, with its trailers read. Throws an Error
 * whose message is the code of the refusal.
 */
export function decodeBody(raw: Buffer, headers: IncomingHttpHeaders): S3Body {
  const chunked = String(headers["content-encoding"] ?? "").includes("aws-chunked");
  const { bytes, trailers } = chunked ? dechunk(raw) : { bytes: raw, trailers: new Map<string, string>() };
  const declared = headers["x-amz-decoded-content-length"];
  if (chunked && Number(declared) !== bytes.length) {
    throw new Error("IncompleteBody");
  }
  const sum = trailers.get("x-amz-checksum-crc32") ?? headers["x-amz-checksum-crc32"]?.toString();
  if (sum !== undefined && sum !== crc32Base64(bytes)) {
    throw new Error("BadDigest");
  }
  return { bytes, crc32: sum };
}

export function crc32Base64(bytes: Uint8Array): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString("base64");
}

/** `<hex size>[;extension]\r\n<bytes>\r\n` … `0\r\n`, then `name:value\r\n` lines, then an empty line. */
function dechunk(raw: Buffer): { bytes: Buffer; trailers: Map<string, string> } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = raw.indexOf("\r\n", at);
    const size = Number.parseInt(raw.toString("latin1", at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) {
      throw new Error("IncompleteBody");
    }
    at = lineEnd + 2;
    if (size === 0) {
      break;
    }
    chunks.push(raw.subarray(at, at + size));
    at += size + 2;
  }
  const trailers = raw
    .toString("latin1", at)
    .split("\r\n")
    .filter((line) => line.includes(":"))
    .map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
  return { bytes: Buffer.concat(chunks), trailers: new Map(trailers) };
}

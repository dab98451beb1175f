import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Refusal } from "./bucket.ts";

export interface Signer {
  readonly secret: string;
  /** Of a session. */
  readonly sessionToken: string;
}

export interface Presigning {
  /** The double's clock, ms UTC. */
  readonly now: () => number;
  /** Undefined: no signer has this key. */
  readonly signerOf: (accessKeyId: string) => Signer | undefined;
}

const WEEK_SECONDS = 604_800;
const SKEW_MS = 900_000;

export function isPresigned(url: URL): boolean {
  return url.searchParams.has("X-Amz-Signature");
}

export function presignerOf(url: URL): string {
  return (url.searchParams.get("X-Amz-Credential") ?? "").split("/")[0] ?? "";
}

/**
 * Throws S3's refusal of a presigned request. It was written from the description of the signature,
 * independent of the SDK: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function checkPresigned(incoming: IncomingMessage, url: URL, { now, signerOf }: Presigning): void {
  const asked = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? "";
  const [accessKeyId = "", day = "", region = "", service = "", end] = asked("Credential").split("/");
  const signer = signerOf(accessKeyId);
  if (signer === undefined || asked("Security-Token") !== signer.sessionToken) {
    throw new Refusal(403, "InvalidAccessKeyId");
  }
  const seconds = Number(asked("Expires"));
  const signedAt = Date.parse(asked("Date").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const isForm =
    asked("Algorithm") === "AWS4-HMAC-SHA256" &&
    service === "s3" &&
    end === "aws4_request" &&
    asked("Date").startsWith(day);
  if (!(isForm && seconds >= 1 && seconds <= WEEK_SECONDS) || Number.isNaN(signedAt)) {
    throw new Refusal(400, "AuthorizationQueryParametersError");
  }
  if (signedAt - now() > SKEW_MS || now() > signedAt + seconds * 1000) {
    throw new Refusal(403, "AccessDenied"); // "Request has expired"
  }
  const signed = asked("SignedHeaders").split(";");
  const request = [
    incoming.method,
    url.pathname,
    canonicalQuery(url),
    ...signed.map((name) => `${name}:${String(incoming.headers[name] ?? "").trim()}`),
    "",
    signed.join(";"),
    "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", asked("Date"), scope, createHash("sha256").update(request).digest("hex")].join(
    "\n",
  );
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${signer.secret}`);
  const given = Buffer.from(asked("Signature"), "hex");
  const wanted = hmac(key, text);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Refusal(403, "SignatureDoesNotMatch");
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** The query without the signature, sorted by the bytes of the names. */
function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [uriEncoded(name), uriEncoded(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
}

function uriEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

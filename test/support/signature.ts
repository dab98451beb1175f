import type { IncomingHttpHeaders } from "node:http";

/**
 * The access key in a request's AWS Signature Version 4 header; "" if there is none. The signature itself is
 * not checked.
 */
export function accessKeyIdOf({ authorization }: IncomingHttpHeaders): string {
  return /^AWS4-HMAC-SHA256 Credential=([^/,]+)\//.exec(authorization ?? "")?.[1] ?? "";
}

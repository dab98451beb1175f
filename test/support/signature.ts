import type { IncomingHttpHeaders } from "node:http";

/**
 * Whose signature a request carries in its header, by AWS's Signature Version 4; "" for none. The signature
 * itself is not checked.
 */
export function accessKeyIdOf({ authorization }: IncomingHttpHeaders): string {
  return /^AWS4-HMAC-SHA256 Credential=([^/,]+)\//.exec(authorization ?? "")?.[1] ?? "";
}

import { Refusal } from "./bucket.ts";

export interface Presigning {
  /** The double's clock, ms UTC. */
  readonly now: () => number;
  /** The session of an access key. Undefined: no signer has this key. */
  readonly signerOf: (accessKeyId: string) => { readonly sessionToken: string } | undefined;
}

const WEEK_SECONDS = 604_800;

export function isPresigned(url: URL): boolean {
  return url.searchParams.has("X-Amz-Signature");
}

export function presignerOf(url: URL): string {
  return (url.searchParams.get("X-Amz-Credential") ?? "").split("/")[0] ?? "";
}

/**
 * Throws S3's refusal of a link: who signed it, and how long it is valid. The signature itself is the SDK's affair.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function checkPresigned(url: URL, { now, signerOf }: Presigning): void {
  const asked = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? "";
  const signer = signerOf(presignerOf(url));
  if (signer === undefined || asked("Security-Token") !== signer.sessionToken) {
    throw new Refusal(403, "InvalidAccessKeyId");
  }
  const seconds = Number(asked("Expires"));
  const signedAt = Date.parse(asked("Date").replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(seconds >= 1 && seconds <= WEEK_SECONDS) || Number.isNaN(signedAt)) {
    throw new Refusal(400, "AuthorizationQueryParametersError");
  }
  if (now() > signedAt + seconds * 1000) {
    throw new Refusal(403, "AccessDenied"); // "Request has expired"
  }
}

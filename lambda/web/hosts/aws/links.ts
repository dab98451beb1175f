import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { parseS3Uri } from "../../../storage/uri.ts";
import type { Links } from "../../ports.ts";
import type { HostedStores } from "./accounts.ts";

/** Counted from the click. */
const LINK_SECONDS = 60;

/**
 * Links to S3 that are valid for a minute, signed with the account's session: a link cannot give what the
 * session may not read. Keys come from the catalogue.
 */
export function signedLinks(storesOf: (account: string) => HostedStores, now: () => number): Links {
  return async (account, at, disposition) => {
    const { bucket, prefix } = parseS3Uri(at.store.location);
    // No checksum is requested: a browser would not compare it.
    const client = new S3Client({ ...storesOf(account).client, responseChecksumValidation: "WHEN_REQUIRED" });
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix === "" ? at.key : `${prefix}/${at.key}`,
      ResponseContentDisposition: disposition,
      ResponseContentType: "application/octet-stream",
    });
    return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS, signingDate: new Date(now()) });
  };
}

import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { parseS3Uri } from "../../../storage/uri.ts";
import { inputKey } from "../../data/input-files.ts";
import { packKey, zipKey } from "../../data/versions.ts";
import { attachment, fileNameOf, zipName } from "../../pack-bytes.ts";
import type { Links } from "../../ports.ts";
import type { HostedStores } from "./accounts.ts";
import type { HostedSettings } from "./page-settings.ts";

/** Counted from the click. */
const LINK_SECONDS = 60;

/**
 * Links to S3 that are valid for a minute, signed with the account's session: a link cannot give what the
 * session may not read. `pack` and `path` come from the catalogue.
 */
export function signedLinks(
  { store, packStore }: Pick<HostedSettings, "store" | "packStore">,
  storesOf: (account: string) => HostedStores,
  now: () => number,
): Links {
  /** A link to an object of the store at `uri`, saved under `name`. */
  async function signed(account: string, uri: string, key: string, name: string): Promise<string> {
    const { bucket, prefix } = parseS3Uri(uri);
    // No checksum is requested: a browser would not compare it.
    const client = new S3Client({ ...storesOf(account).client, responseChecksumValidation: "WHEN_REQUIRED" });
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix === "" ? key : `${prefix}/${key}`,
      ResponseContentDisposition: attachment(name),
      ResponseContentType: "application/octet-stream",
    });
    return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS, signingDate: new Date(now()) });
  }

  return {
    async toFile(account, pack, path) {
      const uri = pack.store === "packs" ? (packStore ?? store) : store;
      return path === null
        ? await signed(account, uri, zipKey(account, pack), zipName(account, pack))
        : await signed(account, uri, packKey(account, pack, path), fileNameOf(path));
    },
    toInput: (account, name) => signed(account, store, inputKey(account, name), fileNameOf(name)),
  };
}

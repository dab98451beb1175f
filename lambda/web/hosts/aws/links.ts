import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { parseS3Uri } from "../../../storage/uri.ts";
import { inputKey } from "../../data/input-files.ts";
import { packKey, zipKey } from "../../data/versions.ts";
import { attachment, fileNameOf, zipName } from "../../pack-bytes.ts";
import type { PackEntry } from "../../packs.ts";
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
  settings: Pick<HostedSettings, "store" | "packStore">,
  storesOf: (account: string) => HostedStores,
  now: () => number,
) {
  /** A link to an object of the store at `uri`, saved under `name`. */
  const signed = async (account: string, uri: string, key: string, name: string, type: string): Promise<string> => {
    const { bucket, prefix } = parseS3Uri(uri);
    // No checksum is requested: a browser would not compare it.
    const client = new S3Client({ ...storesOf(account).client, responseChecksumValidation: "WHEN_REQUIRED" });
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix === "" ? key : `${prefix}/${key}`,
      ResponseContentDisposition: attachment(name),
      ResponseContentType: type,
    });
    return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS, signingDate: new Date(now()) });
  };

  return {
    async toFile(account: string, pack: PackEntry, path: string | null) {
      const uri = pack.store === "packs" ? (settings.packStore ?? settings.store) : settings.store;
      const key = path === null ? zipKey(account, pack) : packKey(account, pack, path);
      const name = path === null ? zipName(account, pack) : fileNameOf(path);
      return await signed(account, uri, key, name, "application/octet-stream");
    },
    async toInput(account: string, name: string) {
      return await signed(
        account,
        settings.store,
        inputKey(account, name),
        fileNameOf(name),
        "application/octet-stream",
      );
    },
  } satisfies Links;
}

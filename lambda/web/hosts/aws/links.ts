import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { modifiedMsOf } from "../../../archive/age.ts";
import { zipKey } from "../../../archive/keys.ts";
import { parseS3Uri } from "../../../storage/uri.ts";
import { inputKey } from "../../data/input-files.ts";
import { packKey } from "../../data/versions.ts";
import { attachment, fileNameOf, packName } from "../../pack-bytes.ts";
import type { PackEntry } from "../../packs.ts";
import type { Links } from "../../ports.ts";
import type { HostedStores } from "./accounts.ts";
import type { HostedSettings } from "./page-settings.ts";

/** From the click on; times are ms UTC. */
const LINK_SECONDS = 60;

/**
 * Links to S3 that are good for a minute, signed with the session of the account: what the session may not read, its link does not give. `pack` and `path`
 * come from the catalogue.
 */
export function signedLinks(
  settings: Pick<HostedSettings, "store" | "packStore">,
  storesOf: (account: string) => HostedStores,
  now: () => number,
) {
  /** To an object of the store at `uri`, to be kept under this name. */
  const signed = async (account: string, uri: string, key: string, name: string, type: string): Promise<string> => {
    const { bucket, prefix } = parseS3Uri(uri);
    // A link asks for no checksum: a browser would not compare it.
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
    async toFile(account: string, pack: PackEntry, path: string) {
      const uri = pack.store === "packs" ? (settings.packStore ?? settings.store) : settings.store;
      const key = packKey(account, pack, path);
      return await signed(account, uri, key, fileNameOf(path), "application/octet-stream");
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
    async toZip(account: string, pack: PackEntry) {
      const key = zipKey(account, pack);
      if ((await modifiedMsOf(storesOf(account).store, key)) === null) {
        return null;
      }
      return await signed(account, settings.store, key, `${packName(account, pack)}.zip`, "application/zip");
    },
  } satisfies Links;
}

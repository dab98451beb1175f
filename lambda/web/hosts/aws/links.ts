import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { modifiedMsOf } from "../../../archive/age.ts";
import { zipKey } from "../../../archive/keys.ts";
import { parseS3Uri } from "../../../storage/uri.ts";
import { packKey } from "../../data/versions.ts";
import { attachment, fileNameOf, packName } from "../../pack-bytes.ts";
import type { Links } from "../../ports.ts";
import type { HostedBooks } from "./accounts.ts";
import type { HostedSettings } from "./page-settings.ts";

/** From the click on. */
const LINK_SECONDS = 60;

export interface LinkParts {
  readonly booksOf: (account: string) => HostedBooks;
  /** ms UTC */
  readonly now: () => number;
}

interface Target {
  /** The store's, as the settings have it. */
  readonly uri: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

/**
 * Links to S3 that are good for a minute, signed with the session of the account: what the session may not read, its link does not give. `pack` and `path`
 * come from the catalogue.
 */
export function signedLinks(settings: Pick<HostedSettings, "store" | "packStore">, { booksOf, now }: LinkParts): Links {
  const signed = async (account: string, { uri, key, name, type }: Target): Promise<string> => {
    const { bucket, prefix } = parseS3Uri(uri);
    // A link asks for no checksum: a browser would not compare it.
    const client = new S3Client({ ...booksOf(account).client, responseChecksumValidation: "WHEN_REQUIRED" });
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: prefix === "" ? key : `${prefix}/${key}`,
      ResponseContentDisposition: attachment(name),
      ResponseContentType: type,
    });
    return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS, signingDate: new Date(now()) });
  };

  return {
    async toFile(account, pack, path) {
      const uri = pack.store === "packs" ? (settings.packStore ?? settings.store) : settings.store;
      const key = packKey(account, pack, path);
      return await signed(account, { uri, key, name: fileNameOf(path), type: "application/octet-stream" });
    },
    async toZip(account, pack) {
      const key = zipKey(account, pack);
      if ((await modifiedMsOf(booksOf(account).store, key)) === null) {
        return null;
      }
      const name = `${packName(account, pack)}.zip`;
      return await signed(account, { uri: settings.store, key, name, type: "application/zip" });
    },
  };
}

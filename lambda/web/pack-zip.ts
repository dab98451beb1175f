import { FillbookError } from "../core/errors.ts";
import { type ZipSource, zipStream } from "../formats/zip.ts";
import { checkedBytes } from "./checked-bytes.ts";
import type { PackCatalogue, PackDetails, PackEntry, PackFileEntry } from "./ports.ts";

type Packs = Pick<PackCatalogue, "open">;

/** What the whole pack is kept as, and the folder in its ZIP. */
export function packName(account: string, { period, version }: Pick<PackEntry, "period" | "version">): string {
  return `${account}-${period}-${version}`;
}

/** All files of the pack in a folder of their own, checked as they pass: wherever it is made, the same bytes. Throws `untrusted`. */
export function packZip(packs: Packs, account: string, pack: PackDetails): AsyncIterable<Uint8Array> {
  const folder = packName(account, pack);
  return zipStream(
    pack.files.map(
      (file): ZipSource => ({
        path: `${folder}/${file.path}`,
        bytes: file.bytes,
        open: () => openPackFile(packs, account, pack, file),
      }),
    ),
  );
}

/** The bytes that SHA256SUMS lists, or `untrusted`. */
export async function openPackFile(
  packs: Packs,
  account: string,
  pack: PackEntry,
  file: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await packs.open(account, pack, file.path);
  if (bytes === null) {
    throw new FillbookError("untrusted", `${pack.period}/${pack.version}/${file.path} is listed, and is gone`);
  }
  return checkedBytes(bytes, file);
}

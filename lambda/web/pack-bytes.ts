import { createHash } from "node:crypto";
import { FillbookError } from "../core/errors.ts";
import { packKey, storeOf, zipKey } from "./data/versions.ts";
import type { AccountStores, PackEntry, PackFileEntry, PackName } from "./packs.ts";

/** The value of Content-Disposition (RFC 6266): saved under this name, never displayed. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The name under which a pack's file is saved: the last part of its path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name under which the whole pack is saved. */
export function zipName(account: string, { period, version }: PackName): string {
  return `${account}-${period}-${version}.zip`;
}

/** Throws `untrusted` if it is gone. */
export async function openZip(stores: AccountStores, pack: PackEntry): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await storeOf(stores, pack.store).openStream(zipKey(stores.account, pack));
  if (bytes === null) {
    throw new FillbookError("untrusted", `${pack.period}/${pack.version}.zip is missing`);
  }
  return bytes;
}

/** The bytes that SHA256SUMS lists; otherwise throws `untrusted`. `file`: an entry of the pack. */
export async function openPackFile(
  stores: AccountStores,
  pack: PackEntry,
  file: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await storeOf(stores, pack.store).openStream(packKey(stores.account, pack, file.path));
  if (bytes === null) {
    throw new FillbookError(
      "untrusted",
      `${pack.period}/${pack.version}/${file.path} is missing, but SHA256SUMS lists it`,
    );
  }
  return checkedBytes(bytes, file);
}

/**
 * The same bytes, hashed as they pass; if `sha256` is null, only their number is checked. The last piece is
 * held back until the check has passed, so a damaged file is never delivered whole. Throws `untrusted`.
 */
export async function* checkedBytes(
  source: AsyncIterable<Uint8Array>,
  listed: PackFileEntry,
): AsyncGenerator<Uint8Array> {
  const sha256 = createHash("sha256");
  let bytes = 0;
  let held: Uint8Array | null = null;
  for await (const chunk of source) {
    if (chunk.length === 0) {
      continue;
    }
    if (held !== null) {
      yield held;
    }
    sha256.update(chunk);
    bytes += chunk.length;
    held = chunk;
  }
  if (bytes !== listed.bytes) {
    throw damaged(`${listed.path} has ${bytes} bytes, but its listed size is ${listed.bytes}`);
  }
  const digest = sha256.digest("hex");
  if (listed.sha256 !== null && digest !== listed.sha256) {
    throw damaged(`${listed.path} is damaged: its sha256 is ${digest}, but SHA256SUMS says ${listed.sha256}`);
  }
  if (held !== null) {
    yield held;
  }
}

function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, { hint: "verify the pack, and restore it from a copy" });
}

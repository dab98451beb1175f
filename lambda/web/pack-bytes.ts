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
  return await open(stores, pack, zipKey(stores.account, pack));
}

/** The bytes that SHA256SUMS lists; otherwise throws `untrusted`. `file`: an entry of the pack. */
export async function openPackFile(
  stores: AccountStores,
  pack: PackEntry,
  file: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  const key = packKey(stores.account, pack, file.path);
  const path = `${storeOf(stores, pack.store).location}/${key}`;
  return checkedBytes(await open(stores, pack, key), { ...file, path });
}

async function open(stores: AccountStores, pack: PackEntry, key: string): Promise<AsyncIterable<Uint8Array>> {
  const store = storeOf(stores, pack.store);
  const bytes = await store.openStream(key);
  if (bytes === null) {
    throw damaged(`${store.location}/${key} is missing, but the pack has it`);
  }
  return bytes;
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

/** The error of a pack that is not as it was written. */
export function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, {
    hint: "check the archive; restore the pack from a copy, or move it away and make it again",
  });
}

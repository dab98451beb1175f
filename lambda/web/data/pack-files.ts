import { createHash } from "node:crypto";
import { FillbookError } from "../../core/errors.ts";
import { fieldsIn } from "../../core/record.ts";
import { COMPLETENESS, COMPLETENESS_FORMAT, type Completeness } from "../../pack/catalogue/completeness.ts";
import { parseChecksums } from "../../pack/make/pack-files.ts";
import type { AccountStores, PackDetails, PackEntry, PackFileEntry } from "../packs.ts";
import { markOf, packKey, packPeriods, sumsPathOf, versionsOf, zipKey } from "./versions.ts";

/** All versions of a period; none if the account has no pack of it. `period`: any text. */
export async function findVersions(stores: AccountStores, period: string): Promise<PackEntry[]> {
  return (await packPeriods(stores)).includes(period) ? await versionsOf(stores, period) : [];
}

/** Of what is read whole. In a pack of many years SHA256SUMS and completeness.json have about 100 kB. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

/**
 * The pack with its statement, and the files that SHA256SUMS lists, in its order, then SHA256SUMS itself. Throws
 * `untrusted` if the pack is not as it was written, if one of its files is missing, or if one is there that is not
 * listed (a list that lost a line would hide it): a pack is delivered whole or not at all.
 */
export async function openPack(stores: AccountStores, pack: PackEntry): Promise<PackDetails> {
  const sumsPath = sumsPathOf(pack.version);
  const fileOf = (path: string, sha256: string | null): PackFileEntry => {
    const bytes = pack.sizes.get(path);
    if (bytes === undefined) {
      throw damaged(`${placeOf(stores, pack, path)} is missing, but ${sumsPath} lists it`);
    }
    return { path, bytes, sha256 };
  };
  const sums = fileOf(sumsPath, null);
  const listed = parseChecksums(await readText(stores, pack, sums));
  const files = [...[...listed].map(([path, sha256]) => fileOf(path, sha256)), sums];
  const unlisted = pack.sizes.keys().find((path) => path !== sumsPath && !listed.has(path));
  if (unlisted !== undefined) {
    throw damaged(`${placeOf(stores, pack, unlisted)} is not listed in its SHA256SUMS`);
  }
  const text = await readPackText(stores, { ...pack, files }, COMPLETENESS.path);
  const claim = fieldsIn(text) as unknown as Completeness; // if it is of this format, and as SHA256SUMS has it
  if (claim.format !== COMPLETENESS_FORMAT || claim.account !== stores.account || claim.period !== pack.period) {
    const place = placeOf(stores, pack, COMPLETENESS.path);
    throw damaged(`${place} is not a file that this version of fillbook writes for ${pack.period}`);
  }
  return { ...pack, files, claim };
}

/** The pack's file of this name. `name`: without the prefix of an incomplete pack. */
export function fileNamed({ version, files }: Pick<PackDetails, "version" | "files">, name: string) {
  return files.find(({ path }) => path === markOf(version) + name);
}

/** A file of the pack as text, after checking its hash. `name`: as in `fileNamed`. Throws `untrusted`. */
export async function readPackText(
  stores: AccountStores,
  pack: Omit<PackDetails, "claim">,
  name: string,
): Promise<string> {
  const file = fileNamed(pack, name);
  if (file === undefined) {
    throw damaged(`${placeOf(stores, pack, markOf(pack.version) + name)} is not in its SHA256SUMS`);
  }
  return await readText(stores, pack, file);
}

async function readText(stores: AccountStores, pack: PackEntry, file: PackFileEntry): Promise<string> {
  if (file.bytes > MAX_READ_BYTES) {
    const place = placeOf(stores, pack, file.path);
    throw damaged(`${place} has ${file.bytes} bytes, more than the page reads of such a file`);
  }
  return Buffer.concat(await Array.fromAsync(await openPackFile(stores, pack, file))).toString();
}

/** The file's full address, for messages. */
function placeOf({ account, packs }: AccountStores, pack: PackEntry, path: string): string {
  return `${packs.location}/${packKey(account, pack, path)}`;
}

/** Throws `untrusted` if it is gone. */
export async function openZip(stores: AccountStores, pack: PackEntry): Promise<AsyncIterable<Uint8Array>> {
  return await open(stores, zipKey(stores.account, pack));
}

/** The bytes that SHA256SUMS lists; otherwise throws `untrusted`. `file`: an entry of the pack. */
export async function openPackFile(
  stores: AccountStores,
  pack: PackEntry,
  file: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await open(stores, packKey(stores.account, pack, file.path));
  return checkedBytes(bytes, { ...file, path: placeOf(stores, pack, file.path) });
}

async function open({ packs }: AccountStores, key: string): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await packs.openStream(key);
  if (bytes === null) {
    throw damaged(`${packs.location}/${key} is missing, but the pack has it`);
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
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    if (chunk.length > 0) {
      yield held;
      sha256.update(chunk);
      bytes += chunk.length;
      held = chunk;
    }
  }
  if (bytes !== listed.bytes) {
    throw damaged(`${listed.path} has ${bytes} bytes, but its listed size is ${listed.bytes}`);
  }
  const digest = sha256.digest("hex");
  if (listed.sha256 !== null && digest !== listed.sha256) {
    throw damaged(`${listed.path} is damaged: its sha256 is ${digest}, but SHA256SUMS says ${listed.sha256}`);
  }
  yield held;
}

/** The error of a pack that is not as it was written. */
function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, {
    hint: "check the archive; restore the pack from a copy, or move it away and make it again",
  });
}

import { sha256Of } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { parseChecksums } from "../../pack/build/pack-file-writer.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import type { Books, PackEntry, PackFileEntry } from "../packs.ts";
import { markOf, packKey, type StoredVersion, storeOf, sumsPathOf } from "./versions.ts";

/** A pack of a period of many years has some 100 KB in these files. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_UNCHECKED_BYTES = 1024 * 1024;
/** As fillbook names a pack's files: no path leads out of the pack. */
const PATH = /^[\w=-][\w.=-]*(?:\/[\w=-][\w.=-]*)*$/;

/**
 * The files that SHA256SUMS lists, in its order, and itself. Throws `untrusted` when one is missing: a pack is given out whole or not at all; what it does
 * not list is not of the pack.
 */
export async function filesOf(books: Books, pack: StoredVersion): Promise<PackFileEntry[]> {
  const sumsPath = sumsPathOf(pack.version);
  const sumsBytes = pack.sizes.get(sumsPath) ?? 0;
  checkSize(books, pack, sumsPath, sumsBytes);
  const sums = await storeOf(books, pack.store).get(packKey(books.account, pack, sumsPath));
  const listed = [...parseChecksums(Buffer.from(sums?.body ?? []).toString())].filter(([path]) => PATH.test(path));
  const entries = listed.map(([path, sha256]) => {
    const bytes = pack.sizes.get(path);
    if (bytes === undefined) {
      throw damaged(`${placeOf(books, pack, path)} is missing: ${sumsPath} lists it`);
    }
    return { path, bytes, sha256 };
  });
  return [...entries, { path: sumsPath, bytes: sumsBytes, sha256: null }];
}

interface ListedPack extends PackEntry {
  readonly files: readonly PackFileEntry[];
}

/** The file of this name, without the mark of an incomplete pack. */
export function fileNamed({ version, files }: Pick<ListedPack, "version" | "files">, name: string) {
  return files.find(({ path }) => path === markOf(version) + name);
}

/** One of the files as text, its hash checked; `name` without the mark of an incomplete pack. Throws `untrusted`. */
export async function readPackText(books: Books, pack: ListedPack, name: string): Promise<string> {
  const path = markOf(pack.version) + name;
  const file = fileNamed(pack, name);
  if (file === undefined) {
    throw damaged(`${placeOf(books, pack, path)} is not in its SHA256SUMS`);
  }
  checkSize(books, pack, path, file.bytes);
  const stored = await storeOf(books, pack.store).get(packKey(books.account, pack, path));
  const actual = stored === null ? null : sha256Of(stored.body);
  if (stored === null || actual !== file.sha256) {
    throw damaged(`${placeOf(books, pack, path)} is damaged: its sha256 is ${actual}, not ${file.sha256}`);
  }
  return Buffer.from(stored.body).toString();
}

/**
 * A file as text, its hash not compared; null: there is none, or it is too large. `name` without the mark of an incomplete pack. For what is shown of many
 * packs at once: each pack's own page compares.
 */
export async function readUnchecked(books: Books, pack: PackEntry, name: string): Promise<string | null> {
  const key = packKey(books.account, pack, markOf(pack.version) + name);
  const pieces = await storeOf(books, pack.store).openStream(key);
  const bytes = pieces === null ? null : await bytesUpTo(pieces, MAX_UNCHECKED_BYTES);
  return bytes?.toString() ?? null;
}

/** Whether a file of a pack may be read whole. */
export function isReadable({ bytes }: Pick<PackFileEntry, "bytes">): boolean {
  return bytes <= MAX_READ_BYTES;
}

/** `untrusted`, of a pack that is not as it was written. */
export function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, {
    hint: "run fillbook verify; restore the pack from a copy, or move it away and export again",
  });
}

function checkSize(books: Books, pack: PackEntry, path: string, bytes: number): void {
  if (!isReadable({ bytes })) {
    throw damaged(`${placeOf(books, pack, path)} has ${bytes} bytes, more than such a file can have`);
  }
}

/** For messages. */
export function placeOf(books: Books, pack: PackEntry, path: string): string {
  return `${storeOf(books, pack.store).location}/${packKey(books.account, pack, path)}`;
}

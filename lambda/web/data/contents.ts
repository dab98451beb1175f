import { sha256Of } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { parseChecksums } from "../../pack/build/pack-file-writer.ts";
import type { Store } from "../../storage/store.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import type { PackEntry, PackFileEntry } from "../ports.ts";
import { markOf, packPrefix, type StoredVersion } from "./versions.ts";

/** A pack of a period of many years has some 100 KB in these files. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
const MAX_UNCHECKED_BYTES = 1024 * 1024;
/** As fillbook names a pack's files: no path leads out of the pack. */
const PATH = /^[\w=-][\w.=-]*(?:\/[\w=-][\w.=-]*)*$/;

/** Where a pack is. */
export interface PackPlace {
  readonly packStore: Store;
  readonly account: string;
  readonly pack: Pick<PackEntry, "period" | "version">;
}

/** sha256 by path, as SHA256SUMS lists them: those that can be files of a pack. */
export async function readSums({ packStore, account, pack }: PackPlace): Promise<ReadonlyMap<string, string>> {
  const sums = await packStore.get(packPrefix(account, pack) + sumsPathOf(pack));
  const listed = parseChecksums(Buffer.from(sums?.body ?? []).toString());
  return new Map([...listed].filter(([path]) => PATH.test(path)));
}

export function sumsPathOf({ version }: Pick<PackEntry, "version">): string {
  return `${markOf(version)}SHA256SUMS`;
}

/**
 * The files that SHA256SUMS lists, in its order, and itself. Throws `untrusted` when one is missing: a pack is given out whole or not at all; what it does
 * not list is not of the pack.
 */
export async function filesOf(place: PackPlace, { files }: Pick<StoredVersion, "files">): Promise<PackFileEntry[]> {
  const sumsPath = sumsPathOf(place.pack);
  const sumsBytes = files.get(sumsPath) ?? 0;
  checkSize(place, sumsPath, sumsBytes);
  const entries = [...(await readSums(place))].map(([path, sha256]) => {
    const bytes = files.get(path);
    if (bytes === undefined) {
      throw damaged(`${keyOf(place, path)} is missing: ${sumsPath} lists it`);
    }
    return { path, bytes, sha256 };
  });
  return [...entries, { path: sumsPath, bytes: sumsBytes, sha256: null }];
}

/** One of the files as text, its hash checked; `name` without the mark of an incomplete pack. Throws `untrusted`. */
export async function readPackText(place: PackPlace, files: readonly PackFileEntry[], name: string): Promise<string> {
  const path = markOf(place.pack.version) + name;
  const file = files.find((one) => one.path === path);
  if (file === undefined) {
    throw damaged(`${keyOf(place, path)} is not in its SHA256SUMS`);
  }
  checkSize(place, path, file.bytes);
  const stored = await place.packStore.get(packPrefix(place.account, place.pack) + path);
  const actual = stored === null ? null : sha256Of(stored.body);
  if (stored === null || actual !== file.sha256) {
    throw damaged(`${keyOf(place, path)} is damaged: its sha256 is ${actual}, not ${file.sha256}`);
  }
  return Buffer.from(stored.body).toString();
}

/**
 * A file as text, its hash not compared; null: there is none, or it is too large. `name` without the mark of an incomplete pack. For what is shown of many packs at once: each pack's own page
 * compares.
 */
export async function readUnchecked({ packStore, account, pack }: PackPlace, name: string): Promise<string | null> {
  const pieces = await packStore.openStream(packPrefix(account, pack) + markOf(pack.version) + name);
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

function checkSize(place: PackPlace, path: string, bytes: number): void {
  if (!isReadable({ bytes })) {
    throw damaged(`${keyOf(place, path)} has ${bytes} bytes, more than such a file can have`);
  }
}

/** For messages. */
export function keyOf({ packStore, account, pack }: PackPlace, path: string): string {
  return `${packStore.location}/${packPrefix(account, pack)}${path}`;
}

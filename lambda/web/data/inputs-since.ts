import { getOrMake } from "../../core/get-or-make.ts";
import { isInputName } from "../../inputs/files.ts";
import type { AccountStores, PackEntry, PackStatement } from "../packs.ts";
import { packClaims } from "./catalogue.ts";
import { readStoredInput, type StoredInput } from "./input-files.ts";
import { newestOf } from "./newest-pack.ts";
import { packPeriods, packVersions } from "./versions.ts";

/** How the user's files differ from those that a pack was made with. */
export interface InputsSince {
  /** Names of files that were put there after it was made, and that it lacks or has with other content. */
  readonly uploaded: readonly string[];
  /** Names of files that were there before, and that it lacks: it was made with files of another folder. */
  readonly unused: readonly string[];
  /** Names of files that only the pack has. */
  readonly gone: readonly string[];
}

/** The SHA-256 of the user's file as it is now; null: it is not known. */
export type HashOf = (file: StoredInput) => Promise<string | null>;

/**
 * Hashes of the user's files, each read once. Files that are not read, because they are too large together, count
 * as changed.
 */
export function hashesOf(stores: AccountStores, mostTotalBytes: number): HashOf {
  const known = new Map<string, Promise<string | null>>();
  let left = mostTotalBytes;
  return (file) =>
    getOrMake(known, file.name, async () => {
      left -= file.bytes;
      return left < 0 ? null : ((await readStoredInput(stores, file))?.file.sha256 ?? null);
    });
}

/**
 * Files of a name that the pack has are read only if they changed after it was made. Names that no pack takes are
 * passed over.
 */
export async function inputsSince(
  { madeAt }: Pick<PackEntry, "madeAt">,
  claim: Pick<PackStatement, "inputs">,
  all: readonly StoredInput[],
  hashOf: HashOf,
): Promise<InputsSince> {
  const listed = all.filter(({ name }) => isInputName(name));
  const had = new Map(claim.inputs.map(({ name, sha256 }) => [name, sha256]));
  const uploaded: string[] = [];
  for (const one of listed.filter(({ modifiedMs }) => modifiedMs > madeAt)) {
    const before = had.get(one.name);
    if (before === undefined || (await hashOf(one)) !== before) {
      uploaded.push(one.name);
    }
  }
  return {
    uploaded,
    unused: listed.filter(({ name, modifiedMs }) => modifiedMs <= madeAt && !had.has(name)).map(({ name }) => name),
    gone: goneFrom(claim, listed),
  };
}

/** Names of files that a pack was made with, and that are not there now. */
export function goneFrom(
  { inputs }: Pick<PackStatement, "inputs">,
  listed: readonly Pick<StoredInput, "name">[],
): string[] {
  const names = new Set(listed.map(({ name }) => name));
  return inputs.map(({ name }) => name).filter((name) => !names.has(name));
}

/**
 * What the period's newest pack was made with: the newest complete one, if there is one. Nothing if the
 * period has no pack. Null: that pack cannot be read.
 */
export async function newestMadeWith(
  stores: AccountStores,
  period: string,
): Promise<Pick<PackStatement, "inputs"> | null> {
  const known = (await packPeriods(stores)).filter(({ name }) => name === period);
  const newest = newestOf(await packVersions(stores, known));
  if (newest === null) {
    return { inputs: [] };
  }
  const [claim = null] = await packClaims(stores, [newest]);
  return claim;
}

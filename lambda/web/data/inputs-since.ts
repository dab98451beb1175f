import { isInputName } from "../../inputs/files.ts";
import type { AccountStores, PackEntry, PackStatement } from "../packs.ts";
import { packClaims } from "./catalogue.ts";
import { readStoredInputs, type StoredInput } from "./input-files.ts";
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

interface Made {
  readonly pack: Pick<PackEntry, "madeAt">;
  /** Null: it is not known what it was made with, and nothing is said. */
  readonly claim: Pick<PackStatement, "inputs"> | null;
}

/**
 * Files of a name that the pack has are read only if they changed after it was made, and if they are not too
 * large together; without being read they count as other content. Names that no pack takes are passed over.
 */
export async function inputsSince(
  stores: AccountStores,
  { pack, claim }: Made,
  all: readonly StoredInput[],
  mostTotalBytes: number,
): Promise<InputsSince> {
  if (claim === null) {
    return { uploaded: [], unused: [], gone: [] };
  }
  const listed = all.filter(({ name }) => isInputName(name));
  const had = new Map(claim.inputs.map(({ name, sha256 }) => [name, sha256]));
  const isLater = ({ modifiedMs }: StoredInput) => modifiedMs > pack.madeAt;
  const again = listed.filter((one) => had.has(one.name) && isLater(one));
  const isReadable = again.reduce((sum, { bytes }) => sum + bytes, 0) <= mostTotalBytes;
  const read = isReadable ? await readStoredInputs(stores, again) : [];
  const same = new Set(read.filter(({ name, file }) => file.sha256 === had.get(name)).map(({ name }) => name));
  return {
    uploaded: listed.filter((one) => isLater(one) && !same.has(one.name)).map(({ name }) => name),
    unused: listed.filter((one) => !(isLater(one) || had.has(one.name))).map(({ name }) => name),
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

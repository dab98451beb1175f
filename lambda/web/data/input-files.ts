import { hash } from "node:crypto";
import { type InputFile, MAX_FILES } from "../../inputs/files.ts";
import { isKeySegment } from "../../storage/keys.ts";
import type { AccountStores } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 8;

/** A file in `<account>/inputs/`, whatever its name is. */
export interface StoredInput {
  /** Under `inputs/`: `rates/ecb.csv`. */
  readonly name: string;
  readonly bytes: number;
  /** By the store's own clock, ms UTC. */
  readonly modifiedMs: number;
}

/** The same with its content, and the tag that a change of it must give. */
export interface ReadInput extends StoredInput {
  readonly file: InputFile;
  readonly tag: string;
}

/** What no pack takes and the page cannot read: it is no file, or its name is no key of the store. */
export interface UnreadableInput {
  readonly name: string;
  /** As for `refusalOf`. */
  readonly notFile?: string;
}

/** Sorted by name; looked for as far as an export looks. */
export async function listUnreadable({ store, account }: AccountStores): Promise<UnreadableInput[]> {
  const prefix = inputsPrefix(account);
  const seen: UnreadableInput[] = [];
  for await (const { key, notFile } of store.list(prefix, { foreign: true })) {
    const name = key.slice(prefix.length);
    if (seen.push(notFile === undefined ? { name } : { name, notFile }) > MAX_FILES) {
      break;
    }
  }
  return seen.filter(({ name, notFile }) => notFile !== undefined || !name.split("/").every(isKeySegment));
}

/** Those that can be read, sorted by name; of more than a pack takes, one too many. */
export async function listInputs({ store, account }: AccountStores): Promise<StoredInput[]> {
  const prefix = inputsPrefix(account);
  const found: StoredInput[] = [];
  for await (const { key, bytes, modifiedMs } of store.list(prefix)) {
    if (found.push({ name: key.slice(prefix.length), bytes, modifiedMs }) > MAX_FILES) {
      break;
    }
  }
  return found;
}

/** Without those that were removed meanwhile. */
export async function readStoredInputs(
  stores: AccountStores,
  listed: readonly StoredInput[],
): Promise<readonly ReadInput[]> {
  const read = await mapConcurrent(listed, READS_AT_ONCE, (one) => readStoredInput(stores, one));
  return read.filter((one) => one !== null);
}

/** Null: it is not there any more. */
export async function readStoredInput(
  { store, account }: AccountStores,
  listed: StoredInput,
): Promise<ReadInput | null> {
  const stored = await store.get(inputKey(account, listed.name));
  if (stored === null) {
    return null;
  }
  const { body: bytes, tag } = stored;
  return { ...listed, file: inputFileOf(listed.name, bytes), tag };
}

export function inputFileOf(name: string, bytes: Uint8Array): InputFile {
  return { name, bytes, sha256: hash("sha256", bytes, "hex") };
}

export function inputKey(account: string, name: string): string {
  return `${inputsPrefix(account)}${name}`;
}

function inputsPrefix(account: string): string {
  return `${account}/inputs/`;
}

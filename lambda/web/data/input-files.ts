import { hash } from "node:crypto";
import { type InputFile, isInputName, MAX_FILES } from "../../inputs/files.ts";
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

/** What lies in `<account>/inputs/`, sorted by name. */
export interface ListedInputs {
  readonly inputs: readonly StoredInput[];
  readonly unreadable: readonly UnreadableInput[];
}

/** The same by name, as an export takes it. */
export interface InputNames {
  readonly inputs: readonly string[];
  /** While they are there, no pack can be made. */
  readonly unusable: readonly string[];
}

/** Looks as far as an export looks: of more than a pack takes, one too many. */
export async function listAllInputs({ store, account }: AccountStores): Promise<ListedInputs> {
  const prefix = inputsPrefix(account);
  const inputs: StoredInput[] = [];
  const unreadable: UnreadableInput[] = [];
  for await (const { key, bytes, modifiedMs, notFile } of store.list(prefix, { foreign: true })) {
    const name = key.slice(prefix.length);
    if (notFile !== undefined) {
      unreadable.push({ name, notFile });
    } else if (name.split("/").every(isKeySegment)) {
      inputs.push({ name, bytes, modifiedMs });
    } else {
      unreadable.push({ name });
    }
    if (inputs.length + unreadable.length > MAX_FILES) {
      break;
    }
  }
  return { inputs, unreadable };
}

/** Those that can be read. */
export async function listInputs(stores: AccountStores): Promise<readonly StoredInput[]> {
  return (await listAllInputs(stores)).inputs;
}

export function inputNames({ inputs, unreadable }: ListedInputs): InputNames {
  const names = inputs.map(({ name }) => name);
  return {
    inputs: names.filter(isInputName),
    unusable: [...names.filter((name) => !isInputName(name)), ...unreadable.map(({ name }) => name)],
  };
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

import { hash } from "node:crypto";
import { getOrMake } from "../../core/get-or-make.ts";
import { type InputFile, locationOf, MAX_FILES, refusalOf } from "../../inputs/files.ts";
import { hashOf } from "../../pack/make/pack-files.ts";
import { isKeySegment } from "../../storage/keys.ts";
import type { AccountStores } from "../packs.ts";
import type { Obstacle } from "../ports.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const READS_AT_ONCE = 8;

/** What lies in `<account>/inputs/`, whatever it is. */
export interface StoredInput {
  /** Under `inputs/`: `rates/ecb.csv`. */
  readonly name: string;
  readonly bytes: number;
  /** By the store's own clock, ms UTC. */
  readonly modifiedMs: number;
  /** False: it is no file, or its name is no key of the store. */
  readonly isReadable: boolean;
  /** Why no pack can be made while it is there; null: packs are made with it. */
  readonly refusal: Obstacle | null;
}

/** The same with its content, and the tag that a change of it must give. */
export interface ReadInput extends StoredInput {
  readonly file: InputFile;
  readonly tag: string;
}

/** Names of what lies there. */
export interface InputNames {
  readonly inputs: readonly string[];
  /** While they are there, no pack can be made. */
  readonly unusable: readonly string[];
}

/** Sorted by name. Looks as far as an export looks: of more than a pack takes, one too many. */
export async function listAllInputs({ store, account }: AccountStores): Promise<readonly StoredInput[]> {
  const prefix = inputsPrefix(account);
  const location = locationOf({ kind: "store", store, account });
  const inputs: StoredInput[] = [];
  for await (const { key, bytes, modifiedMs, ...listed } of store.list(prefix, { foreign: true })) {
    const name = key.slice(prefix.length);
    const isReadable = listed.notFile === undefined && name.split("/").every(isKeySegment);
    inputs.push({ name, bytes, modifiedMs, isReadable, refusal: refusalOf({ name, ...listed }, location) });
    if (inputs.length > MAX_FILES) {
      break;
    }
  }
  return inputs;
}

/** Those that can be read. */
export async function listInputs(stores: AccountStores): Promise<readonly StoredInput[]> {
  return (await listAllInputs(stores)).filter(({ isReadable }) => isReadable);
}

export function inputNames(all: readonly StoredInput[]): InputNames {
  const names = (isUsed: boolean) => all.filter(({ refusal }) => (refusal === null) === isUsed).map(({ name }) => name);
  return { inputs: names(true), unusable: names(false) };
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
  return stored && { ...listed, file: inputFileOf(listed.name, stored.body), tag: stored.tag };
}

/** The SHA-256 of the user's file of this name, as it is now; null: it is not there any more. */
export type HashOf = (name: string) => Promise<string | null>;

/** Each is read once. */
export function hashesOf({ store, account }: AccountStores): HashOf {
  const known = new Map<string, Promise<string | null>>();
  return (name) => getOrMake(known, name, () => hashOf(store, inputKey(account, name)));
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

/**
 * Puts a file in the place of `current`, which the user saw (null: none was there). False: somebody was
 * faster, and nothing was put.
 */
export async function putInput(
  { store, account }: AccountStores,
  file: InputFile,
  current: ReadInput | null,
): Promise<boolean> {
  const key = inputKey(account, file.name);
  try {
    return (await store.replaceIf(key, file.bytes, current?.tag ?? null)) !== null;
  } catch (error) {
    const found = await store.get(key);
    // It is known only now that it was put; or what was to be replaced was removed meanwhile.
    if (found !== null && Buffer.compare(found.body, file.bytes) === 0) {
      return true;
    }
    if (found === null && current !== null) {
      return false;
    }
    throw error;
  }
}

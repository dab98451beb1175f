import { hash } from "node:crypto";
import { recogniseRates } from "../../accounting/rates/recognise.ts";
import { usageError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { ACCOUNTS, checkFiles, locationOf, MAX_FILES, refusalOf } from "../../inputs/files.ts";
import { inputsOf } from "../../inputs/inputs.ts";
import { parseAccountSettings } from "../../pack/make/account-settings.ts";
import { hashOf } from "../../pack/make/pack-files.ts";
import { isKeySegment } from "../../storage/keys.ts";
import type { AccountStores } from "../packs.ts";
import type { Obstacle } from "../ports.ts";

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

/** Sorted by name. Looks as far as an export looks: of more than a pack takes, one too many. */
export async function listInputs({ store, account }: AccountStores): Promise<readonly StoredInput[]> {
  const prefix = inputKey(account, "");
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

/** The SHA-256 of the user's file of this name, as it is now; null: it is not there any more. */
export type HashOf = (name: string) => Promise<string | null>;

/** Each is read once. */
export function hashesOf({ store, account }: AccountStores): HashOf {
  const known = new Map<string, Promise<string | null>>();
  return (name) => getOrMake(known, name, () => hashOf(store, inputKey(account, name)));
}

export function inputKey(account: string, name: string): string {
  return `${account}/inputs/${name}`;
}

/**
 * Reads a file as an export does, and keeps it in place of the one of its name. Throws `usage` with the line and what
 * to do, if an export could not use it.
 */
export async function putInput(stores: AccountStores, name: string, bytes: Uint8Array): Promise<void> {
  const { store, account } = stores;
  const others = (await listInputs(stores)).filter((one) => one.refusal === null && one.name !== name);
  checkFiles([...others, { name, bytes: bytes.length }], "inputs");
  const { rates, accounts } = inputsOf([{ name, bytes, sha256: hash("sha256", bytes, "hex") }], "inputs", "UTC");
  for (const one of rates) {
    recogniseRates(one.name, one.bytes);
  }
  if (accounts !== null && parseAccountSettings(accounts, ACCOUNTS).accounts !== null) {
    const hint = "remove the key accounts from the file; packs of a group are made on the command line";
    throw usageError(`${ACCOUNTS} names a group of accounts, but this page makes packs of one account`, hint);
  }
  const key = inputKey(account, name);
  const current = await store.get(key);
  if ((await store.replaceIf(key, bytes, current?.tag ?? null)) === null) {
    throw usageError(
      `${name} was changed by somebody else in the same moment`,
      "look at the files, and upload it again",
    );
  }
}

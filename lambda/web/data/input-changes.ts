import { asFillbookError, FillbookError } from "../../core/errors.ts";
import { fieldsIn } from "../../core/record.ts";
import { compareText } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import type { InputFile } from "../../inputs/files.ts";
import { type Store, StoreUnknownError } from "../../storage/store.ts";
import type { AccountStores } from "../packs.ts";
import { inputKey, type ReadInput } from "./input-files.ts";
import { collected } from "./map-concurrent.ts";

const FORMAT = "fillbook-input/1";
const RECORD = /^\d{8}T\d{6}\.\d{3}Z-[0-9A-Za-z-]{1,100}\.json$/;

/** Who changed a file of an account, without what is in it. */
export interface InputChange {
  readonly at: number;
  readonly user: string;
  readonly account: string;
  readonly name: string;
  /** SHA-256 of the content before; null: there was no such file. */
  readonly before: string | null;
  /** The same afterwards; null: it was removed. */
  readonly after: string | null;
}

export interface Changing {
  readonly user: string;
  /** ms UTC */
  readonly at: number;
  /** A name that no other record has. */
  readonly id: string;
}

/**
 * Puts a file in the place of `current`, which the user saw (null: none was there). Before it, both contents
 * and who changes them are kept in `<account>/inputs-history/<name>/`, so that nothing is lost, whoever
 * changes it next. False: somebody was faster, and nothing was put.
 */
export async function putInput(
  stores: AccountStores,
  file: InputFile,
  current: ReadInput | null,
  changing: Changing,
): Promise<boolean> {
  const { store, account } = stores;
  await keepContents(stores, [file, ...(current === null ? [] : [current.file])]);
  await record(stores, file.name, { before: current?.file.sha256 ?? null, after: file.sha256 }, changing);
  const key = inputKey(account, file.name);
  try {
    return (await store.replaceIf(key, file.bytes, current?.tag ?? null)) !== null;
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      return await isThere(store, key, file.bytes, error);
    }
    // What was to be replaced was removed meanwhile.
    if (asFillbookError(error).kind === "untrusted" && current !== null && (await store.get(key)) === null) {
      return false;
    }
    throw error;
  }
}

/**
 * Removes a file that the user saw. Its content and who removed it are kept as above. The store cannot
 * compare as it removes: what somebody puts there in the same moment goes too, and is kept all the same.
 */
export async function removeInput(stores: AccountStores, current: ReadInput, changing: Changing): Promise<void> {
  const { file, name } = current;
  await keepContents(stores, [file]);
  await record(stores, name, { before: file.sha256, after: null }, changing);
  await stores.store.remove(inputKey(stores.account, name));
}

/**
 * The newest change that left the file as it is; null: none did, so that it came another way than through the
 * page.
 */
export async function lastChange(
  stores: AccountStores,
  name: string,
  sha256: string | null,
): Promise<InputChange | null> {
  const { store, account } = stores;
  const prefix = historyPrefix(account, name);
  const listed = await collected(store.list(prefix));
  const keys = listed.map(({ key }) => key).filter((key) => RECORD.test(key.slice(prefix.length)));
  for (const key of keys.sort((a, b) => compareText(b, a)).slice(0, MOST_LOOKED_AT)) {
    const stored = await store.get(key);
    const change = stored === null ? null : parseChange(Buffer.from(stored.body).toString());
    if (change?.after === sha256) {
      return change;
    }
  }
  return null;
}

/** Of the newest records: each takes a read. */
const MOST_LOOKED_AT = 20;

/** Of a content that was kept, from its hash. */
function keptKey(account: string, name: string, sha256: string): string {
  return `${historyPrefix(account, name)}${sha256}`;
}

function historyPrefix(account: string, name: string): string {
  return `${account}/inputs-history/${name}/`;
}

async function keepContents({ store, account }: AccountStores, files: readonly InputFile[]): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    await store.createNew(keptKey(account, name, sha256), bytes);
  }
}

async function record(
  { store, account }: AccountStores,
  name: string,
  contents: Pick<InputChange, "before" | "after">,
  { user, at, id }: Changing,
): Promise<void> {
  const change: InputChange = { at, user, account, name, ...contents };
  const key = `${historyPrefix(account, name)}${isoTime(at).replaceAll(/[-:]/g, "")}-${id}.json`;
  const body = Buffer.from(`${JSON.stringify({ format: FORMAT, ...change })}\n`);
  if ((await store.createNew(key, body)) === "exists") {
    throw new FillbookError("fault", `${store.location}/${key} is there already`);
  }
}

async function isThere(store: Store, key: string, bytes: Uint8Array, cause: unknown): Promise<boolean> {
  const found = await store.get(key);
  if (found !== null && Buffer.compare(found.body, bytes) === 0) {
    return true;
  }
  throw new FillbookError("incomplete", `it is not known whether ${store.location}/${key} was written`, {
    hint: "open the page again and check; if the file is not there, upload it again",
    cause,
  });
}

function parseChange(text: string): InputChange | null {
  const { format, at, user, account, name, before, after } = fieldsIn(text);
  const isHash = (value: unknown) => value === null || typeof value === "string";
  const isChange =
    format === FORMAT &&
    Number.isSafeInteger(at) &&
    [user, account, name].every((field) => typeof field === "string") &&
    isHash(before) &&
    isHash(after);
  return isChange ? ({ at, user, account, name, before, after } as InputChange) : null; // the types were just looked at
}

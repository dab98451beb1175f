import { hash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FillbookError, usageError } from "../core/errors.ts";
import type { ListedObject, Store } from "../storage/store.ts";

/** Where the user's files are. The Lambda has only the store's. Both are read alike. */
export type InputsSource =
  | { readonly kind: "folder"; readonly path: string }
  /** The folder `<account>/inputs/` of a store. */
  | { readonly kind: "store"; readonly store: Pick<Store, "get" | "list" | "location">; readonly account: string };

/** A file of the user, as it is copied into the pack. */
export interface InputFile {
  /** Under `inputs/`: `funding.csv`, `rates/ecb.csv`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

export const ACCOUNTS = "accounts.json";
export const OPENING_POSITIONS = "opening-positions.csv";
export const FUNDING = "funding.csv";
export const TRANSFERS = "transfers.csv";
export const BALANCES = "balances.csv";
export const ADJUSTMENTS = "adjustments.csv";
export const MATCHES = "matches.csv";
export const MARKS = "marks.csv";
export const RATES = "rates/";

// biome-ignore format: one line
const KNOWN: readonly string[] = [ACCOUNTS, OPENING_POSITIONS, FUNDING, TRANSFERS, BALANCES, ADJUSTMENTS, MATCHES, MARKS];
/** As a key of the store allows, because the file is copied under this name. */
const RATE_FILE = /^rates\/[A-Za-z0-9=_-][A-Za-z0-9=._-]{0,150}\.csv$/;
const SIZE_HINT = "keep only what the period needs";
const NAMES_HINT = `the input files are ${KNOWN.join(", ")} and ${RATES}NAME.csv, where NAME has only letters, digits and =._-`;

export const MAX_FILES = 256;
export const MAX_FILE_BYTES = 64_000_000;
/** All files are in memory until they are in the pack. */
export const MAX_TOTAL_BYTES = 4 * MAX_FILE_BYTES;

/** What lies in the folder `inputs/`. `notFile`: what is there in place of a file, such as `a symbolic link`. */
type Entry = { readonly name: string } & Pick<ListedObject, "notFile">;

interface Found extends Entry {
  readonly bytes: number;
  readonly read: () => Promise<Uint8Array>;
}

/** A folder's path, or `s3://bucket/prefix/main/inputs`: for messages. */
export function locationOf(source: InputsSource): string {
  return source.kind === "folder" ? source.path : `${source.store.location}/${source.account}/inputs`;
}

/**
 * All files of the user, sorted by name. Hidden files are ignored. Throws `usage` if there is another file,
 * or if the files are too many or too large. `isWanted`: decides by the name in the top folder; unwanted
 * files are not looked at.
 */
export async function readFiles(
  source: InputsSource,
  isWanted: (name: string) => boolean = () => true,
): Promise<InputFile[]> {
  const location = locationOf(source);
  const found = await (source.kind === "folder" ? findInFolder(source.path, isWanted) : findInStore(source, isWanted));
  checkFiles(found, location);
  const files: InputFile[] = [];
  for (const { name, read } of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const bytes = await read();
    files.push({ name, bytes, sha256: hash("sha256", bytes, "hex") });
  }
  // A file may have grown since it was listed.
  const sizes = files.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
  checkFiles(sizes, location);
  return files;
}

/** The text of a file without its byte order mark. Throws `usage` if it is not UTF-8. */
export function textOf({ name, bytes }: InputFile): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) {
      return text;
    }
  } catch {
    // Falls through to the one message.
  }
  const hint = "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”";
  throw usageError(`${name} is not text in UTF-8`, hint);
}

type StoreSource = Extract<InputsSource, { kind: "store" }>;

async function findInStore({ store, account }: StoreSource, isWanted: (name: string) => boolean): Promise<Found[]> {
  const prefix = `${account}/inputs/`;
  const found: Found[] = [];
  // A file with a name of its own is refused like in a folder, not passed over.
  for await (const { key, bytes, notFile } of store.list(prefix, { foreign: true })) {
    if (found.length > MAX_FILES) {
      break;
    }
    const name = key.slice(prefix.length);
    if (isWanted(name)) {
      const read = async () => (await store.get(key))?.body ?? gone(`${store.location}/${key}`);
      found.push({ name, bytes, read, ...(notFile === undefined ? {} : { notFile }) });
    }
  }
  return found;
}

function gone(place: string): never {
  throw new FillbookError("incomplete", `${place} was removed while it was read`, { hint: "run again" });
}

async function findInFolder(folder: string, isWanted: (name: string) => boolean): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of (await namesIn(folder)).filter(isWanted)) {
    const path = join(folder, name);
    const isRates = `${name}/` === RATES && (await attempt(path, () => stat(path))).isDirectory();
    const names = isRates ? (await namesIn(path)).map((inner) => RATES + inner) : [name];
    found.push(...(await Promise.all(names.slice(0, MAX_FILES + 1).map((one) => findFile(folder, one)))));
  }
  return found;
}

async function findFile(folder: string, name: string): Promise<Found> {
  const path = join(folder, name);
  const about = await attempt(path, () => stat(path));
  if (!about.isFile()) {
    const what = about.isDirectory() ? "a folder, and only files are read" : "not a file";
    throw usageError(`${path} is ${what}`, NAMES_HINT);
  }
  return { name, bytes: about.size, read: () => attempt(path, () => readFile(path)) };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await attempt(folder, () => readdir(folder));
  return names.filter((name) => !name.startsWith("."));
}

async function attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const hint = "give the folder of the files with --inputs, and check that this user can read it";
    throw usageError(`cannot read ${path}: ${reason === "ENOENT" ? "it does not exist" : reason}`, hint, error);
  }
}

/** Why a pack cannot be made while this is in the folder of the files; null: a pack takes it. */
export function refusalOf({ name, notFile }: Entry, location: string): FillbookError | null {
  if (notFile !== undefined) {
    const hint = "put the file itself there instead; or give the folder of the files with --inputs";
    return usageError(`${location}/${name} is ${notFile}, and only files are read`, hint);
  }
  const isTaken = KNOWN.includes(name) || RATE_FILE.test(name);
  return isTaken ? null : usageError(`${location}/${name} is not an input file of a pack`, NAMES_HINT);
}

/** Throws `usage` if there are too many, if a pack does not take one of them, or if they are too large. */
export function checkFiles(found: readonly (Entry & Pick<Found, "bytes">)[], location: string): void {
  if (found.length > MAX_FILES) {
    throw usageError(`${location} holds more than ${MAX_FILES} files`, NAMES_HINT);
  }
  const [refusal] = found.flatMap((entry) => refusalOf(entry, location) ?? []);
  if (refusal !== undefined) {
    throw refusal;
  }
  const large = found.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (large !== undefined) {
    const limit = `an input file can have at most ${megabytes(MAX_FILE_BYTES)}`;
    throw usageError(`${location}/${large.name} has ${large.bytes} bytes, but ${limit}`, SIZE_HINT);
  }
  if (found.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_TOTAL_BYTES) {
    throw usageError(`the files in ${location} together have more than ${megabytes(MAX_TOTAL_BYTES)}`, SIZE_HINT);
  }
}

function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}

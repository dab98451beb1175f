import { createReadStream, type Dirent, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FillbookError } from "../core/errors.ts";
import { compareText } from "../core/text.ts";
import { errorCode, folderError } from "./folder-errors.ts";
import { isKeySegment, isListedSegment } from "./keys.ts";
import type { ListedObject } from "./store.ts";

/** In the folder of the final file. Readers ignore what a killed process leaves; it is deleted later. */
const TEMPORARY_NAME = /^\.tmp-\d+-\d+$/;
/** No write takes this long. If one did, it would fail at its end and be repeated. */
export const STALE_MS = 7 * 86_400_000;
const READ_BYTES = 256 * 1024;
const ABSENT = ["ENOENT", "ENOTDIR"];
/**
 * Only the user may enter what fillbook makes, because a book says what its trader has. Windows has no such
 * modes.
 */
const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

let temporaryCount = 0;

export async function readIfThere(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === "EISDIR" || ABSENT.includes(errorCode(error) ?? "")) {
      return null;
    }
    throw folderError(error, "read", file);
  }
}

export async function isFile(file: string): Promise<boolean> {
  return (await statIfThere(file))?.isFile() ?? false;
}

async function statIfThere(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (ABSENT.includes(errorCode(error) ?? "")) {
      return null;
    }
    throw folderError(error, "read", file);
  }
}

/** Leaves anything that is not a file, such as a folder. */
export async function removeIfThere(file: string): Promise<void> {
  if (!(await isFile(file))) {
    return;
  }
  try {
    await unlink(file);
  } catch (error) {
    if (!ABSENT.includes(errorCode(error) ?? "")) {
      throw folderError(error, "delete", file);
    }
  }
}

export interface Temporary {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Process ids repeat: a name that a dead process has left is not used. */
export async function openTemporary(target: string): Promise<Temporary> {
  temporaryCount += 1;
  const path = join(dirname(target), `.tmp-${process.pid}-${temporaryCount}`);
  const handle = await open(path, "wx", PRIVATE_FILE).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") {
      throw error;
    }
    return null;
  });
  return handle === null ? await openTemporary(target) : { path, handle };
}

/** Best effort: readers ignore a leftover, and a renamed file is already gone. */
export async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

/**
 * Deletes temporary files of a folder that were last written at `until` (ms UTC) or earlier. If a running
 * process owns one, its write fails. Best effort: they harm nobody.
 */
export async function removeTemporaries(folder: string, until = Number.POSITIVE_INFINITY): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => TEMPORARY_NAME.test(one))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs <= until) {
      await removeTemporary(path);
    }
  }
}

/**
 * Makes the folder and its missing parents. Returns the topmost one that it made. Node's `recursive` is not
 * used: it never ends where a folder answers ENOENT to a new name, as /proc does.
 */
export async function makeFolders(folder: string): Promise<string | undefined> {
  if (await isFolder(folder)) {
    return undefined;
  }
  const parent = dirname(folder);
  const isBelow = parent !== folder && (await statIfThere(parent)) === null;
  const above = isBelow ? await makeFolders(parent) : undefined;
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      throw new FillbookError("usage", `cannot make the folder ${folder}: nothing can be made in ${parent} (ENOENT)`, {
        hint: "choose another folder with --store or --out",
        cause: error,
      });
    }
    if (await isFolder(folder)) {
      return above; // another process was first
    }
    throw error;
  }
  return above ?? folder;
}

/** The rights of other users, as in `755`. Null: they have none, or there is no such folder. */
export async function openMode(folder: string): Promise<string | null> {
  const mode = process.platform === "win32" ? 0 : ((await statIfThere(folder))?.mode ?? 0);
  return (mode & 0o077) === 0 ? null : (mode & 0o777).toString(8);
}

async function isFolder(path: string): Promise<boolean> {
  return (await statIfThere(path))?.isDirectory() ?? false;
}

/**
 * Another process may have made a folder and not synced it yet, so the first use of each folder syncs all
 * names down to it.
 */
export async function syncFolders(folder: string, root: string, made: string | undefined): Promise<void> {
  const above = dirname(made !== undefined && made.length < root.length ? made : root);
  for (let current = folder; current.length > above.length; ) {
    current = dirname(current);
    if (current.length >= root.length) {
      await syncFolder(current);
    } else {
      await syncFolder(current).catch(() => undefined); // the user's own folders, which may be closed to us
    }
  }
}

export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") {
    return; // Windows cannot open a folder; NTFS journals names
  }
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens the file at the first read, so that an unread stream holds nothing. */
export async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw folderError(error, "read", file);
  }
}

/** `base` is "" or ends with a slash. A folder sorts by its name with a slash, since "a-b" < "a/x" < "ab". */
export async function* listFolder(
  root: string,
  base: string,
  wanted: { readonly prefix: string; readonly foreign: boolean },
): AsyncGenerator<ListedObject> {
  const { prefix, foreign } = wanted;
  const entries = await readFolder(join(root, base));
  const found = entries
    .filter((entry) => isListedSegment(entry.name, foreign) && (foreign || kindOf(entry) === null))
    .map((entry) => ({ name: base + entry.name + (entry.isDirectory() ? "/" : ""), notFile: kindOf(entry) }))
    .filter(({ name }) => name.startsWith(prefix))
    .sort((left, right) => compareText(left.name, right.name));
  for (const { name, notFile } of found) {
    if (name.endsWith("/")) {
      yield* listFolder(root, name, wanted);
    } else if (notFile === null) {
      const file = await statIfThere(join(root, name));
      if (file !== null) {
        yield { key: name, bytes: file.size, modifiedMs: Math.floor(file.mtimeMs) };
      }
    } else {
      yield { key: name, bytes: 0, modifiedMs: 0, notFile };
    }
  }
}

/** What is neither a file nor a folder, for a message; null: it is one of them. */
function kindOf(entry: Dirent): string | null {
  if (entry.isFile() || entry.isDirectory()) {
    return null;
  }
  if (entry.isSymbolicLink()) {
    return "a symbolic link";
  }
  return entry.isFIFO() ? "a named pipe" : "no file";
}

/** The folders in a folder, in the order of the keys below them: "a-b/" comes before "a/". */
export async function folderNames(folder: string): Promise<string[]> {
  const entries = await readFolder(folder);
  return entries
    .filter((entry) => entry.isDirectory() && isKeySegment(entry.name))
    .map(({ name }) => name)
    .sort((left, right) => compareText(`${left}/`, `${right}/`));
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (ABSENT.includes(errorCode(error) ?? "")) {
      return [];
    }
    throw folderError(error, "read", folder);
  }
}

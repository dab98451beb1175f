import { FillbookError } from "../core/errors.ts";

/**
 * Names with a leading dot belong to the folder store: temporary files and the lock. This also excludes "."
 * and "..".
 */
const SEGMENT = /^[A-Za-z0-9=_-][A-Za-z0-9=._-]{0,199}$/;
/** Every file system, and S3 (1,024 bytes with the store's prefix), can hold such a key. */
const MAX_KEY_LENGTH = 700;

/**
 * Whether a file or folder of this name can be part of a key. Anything else in the folder is not the store's.
 */
export function isKeySegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** Whether a file or folder of this name is listed. `foreign`: any but a hidden one. */
export function isListedSegment(name: string, foreign: boolean): boolean {
  return isKeySegment(name) || (foreign && name !== "" && !name.startsWith("."));
}

/** The program makes keys, never a user. A key of another form is a fault. */
export function checkKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !key.split("/").every(isKeySegment)) {
    throw new FillbookError("fault", `not a store key: ${JSON.stringify(key)}`);
  }
}

/** A prefix is the beginning of a key. It may be empty, and may end within a segment or after a slash. */
export function checkPrefix(prefix: string): void {
  if (prefix !== "") {
    checkKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
  }
}

/** A prefix that holds folders: empty, or ending with a slash. */
export function checkFolder(prefix: string): void {
  checkPrefix(prefix);
  if (prefix !== "" && !prefix.endsWith("/")) {
    throw new FillbookError("fault", `not a folder of the store: ${JSON.stringify(prefix)}`);
  }
}

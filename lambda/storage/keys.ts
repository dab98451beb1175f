import { FillbookError } from "../core/errors.ts";

/** A leading dot is the folder store's own: temporary files and the lock. So "." and ".." are no segments either. */
const SEGMENT = /^[A-Za-z0-9=_-][A-Za-z0-9=._-]{0,199}$/;
/** What every file system and S3 (1,024 bytes with the store's prefix) can name. */
const MAX_KEY_LENGTH = 700;

/** Whether a file or folder of this name can belong to a key. What has another name in the folder is not the store's. */
export function isKeySegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** Keys are made by the program, never by a user: one that is not of the port's form is a fault. */
export function checkKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !key.split("/").every(isKeySegment)) {
    throw new FillbookError("fault", `not a store key: ${JSON.stringify(key)}`);
  }
}

/** A prefix is the beginning of a key: it may be empty, or end within a segment or after a slash. */
export function checkPrefix(prefix: string): void {
  if (prefix !== "") {
    checkKey(prefix.endsWith("/") ? prefix.slice(0, -1) : prefix);
  }
}

/** What holds folders: the store itself, or a prefix that ends after a slash. */
export function checkFolder(prefix: string): void {
  checkPrefix(prefix);
  if (prefix !== "" && !prefix.endsWith("/")) {
    throw new FillbookError("fault", `not a folder of the store: ${JSON.stringify(prefix)}`);
  }
}

import { FillbookError } from "../core/errors.ts";

/**
 * The port to the storage of the archive. Two implementations (folder.ts, s3.ts) pass one suite,
 * test/conformance/store.ts.
 *
 * Keys are relative paths with `/`, of `[A-Za-z0-9=._-]` segments that do not begin with a dot. Every object
 * except the head and `latest.json` is written once and never changed. Bodies are whole values; what is too
 * large for memory goes through `createStream` and `openStream`.
 */
export interface Store {
  /** Where the store is, for messages: a folder's path or `s3://bucket/prefix`. Never a credential. */
  readonly location: string;

  /**
   * The object, or null if there is none. `tag` changes whenever the content does; `replaceIf` compares it.
   */
  get(key: string): Promise<StoredObject | null>;

  /**
   * Creates an immutable object. "exists": the key is taken (its content is not read). All or nothing: a
   * reader never sees half an object, and once this resolves the object survives a crash. Throws
   * StoreUnknownError if the outcome cannot be known.
   */
  createNew(key: string, body: Uint8Array): Promise<"created" | "exists">;

  /**
   * The same for a body that is made piece by piece. Nothing is visible until `finish` resolves. `abort`
   * leaves nothing behind.
   */
  createStream(key: string): Promise<StoreSink>;

  /**
   * Compare-and-swap: writes `body` if the object's tag is still `tag` (null: if there is no object). Returns
   * the new tag, or null on a conflict. Atomic between processes. Throws StoreUnknownError if the outcome
   * cannot be known; the caller reads back. Throws a FillbookError `untrusted` if a tag is given and the
   * object is gone, which fillbook never causes.
   */
  replaceIf(key: string, body: Uint8Array, tag: string | null): Promise<string | null>;

  /** The object's bytes piece by piece, or null if there is no object. */
  openStream(key: string): Promise<AsyncIterable<Uint8Array> | null>;

  /**
   * All objects whose key starts with `prefix`, in key order. Objects that are made or removed meanwhile may
   * be listed or not. `foreign`: also what a person put there that is no file, or under a name that is no
   * key, unless it is hidden; no other call takes such a name.
   */
  list(prefix: string, options?: { readonly foreign: boolean }): AsyncIterable<ListedObject>;

  /**
   * The folders right under `prefix` ("" or ending with a slash), each once, in the order of their keys. The
   * cost depends on the number of folders, not on what they hold. On S3 it needs the permission to list. A
   * folder whose last object was removed may be given or not.
   */
  folders(prefix: string): AsyncIterable<string>;

  /**
   * Deletes an object, if there is one. If it rejects, the object may be gone or may still go, so remove only
   * what nothing will ever name again.
   */
  remove(key: string): Promise<void>;
}

export interface StoredObject {
  readonly body: Uint8Array;
  readonly tag: string;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** When it was written, by the store's own clock, ms UTC. Infinite: not known. */
  readonly modifiedMs: number;
  /** Only with `foreign`: what is there in place of a file, such as `a symbolic link`. It cannot be read. */
  readonly notFile?: string;
}

export interface StoreSink {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<"created" | "exists">;
  abort(): Promise<void>;
}

/**
 * A write whose answer was lost. It may have landed, may land later, or never. Whoever catches it reads back
 * before deciding.
 */
export class StoreUnknownError extends Error {
  override readonly name = "StoreUnknownError";
}

/** For a compare-and-swap whose object was read and is now gone. fillbook never deletes it. */
export function goneError(location: string, key: string): FillbookError {
  return new FillbookError("untrusted", `${location}: ${key} disappeared while it was used`, {
    hint: "fillbook never deletes it: find out who did, and restore it from a backup or an earlier version",
  });
}

export function checkOpen(isOpen: boolean, target: string): void {
  if (!isOpen) {
    throw new FillbookError("fault", `the stream to ${target} has ended`);
  }
}

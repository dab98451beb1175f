/**
 * The port to where the archive rests. Two implementations (folder.ts, s3.ts) pass one suite, test/conformance/store.ts.
 *
 * Keys are relative paths with `/`, of `[A-Za-z0-9=._-]` segments that do not begin with a dot. Every object but the head and `latest.json` is written once and
 * never changed. Bodies are whole values here; what is too large for memory goes through `createStream` and `openStream`.
 */
export interface Store {
  /** Where this is, for messages: a folder's path or `s3://bucket/prefix`. Never a credential. */
  readonly location: string;

  /** The object, or null when there is none. `tag` changes whenever the content does, and is compared by `replaceIf`. */
  get(key: string): Promise<StoredObject | null>;

  /**
   * Creates an immutable object: "created", or "exists" when the key is taken (content unread). All or nothing: a reader never
   * sees half of it, and once this resolves it survives a crash. Throws StoreUnknownError when the outcome cannot be known.
   */
  createNew(key: string, body: Uint8Array): Promise<"created" | "exists">;

  /** The same, for a body that is made piece by piece. Nothing is visible until `finish` resolves; `abort` leaves nothing behind. */
  createStream(key: string): Promise<StoreSink>;

  /**
   * Compare-and-swap: writes `body` if the object's tag is still `tag` (null: if there is no object). Returns the new tag, or null on a conflict.
   * Atomic between processes. Throws StoreUnknownError when the outcome cannot be known: the caller reads back; and a FillbookError
   * `untrusted` when a tag is given and the object is gone, which nothing that fillbook does can cause.
   */
  replaceIf(key: string, body: Uint8Array, tag: string | null): Promise<string | null>;

  /** The object's bytes piece by piece, or null when there is none. */
  openStream(key: string): Promise<AsyncIterable<Uint8Array> | null>;

  /** All objects whose key starts with `prefix`, in key order. What is removed or created meanwhile may be listed or not. */
  list(prefix: string): AsyncIterable<ListedObject>;

  /**
   * Names of the folders right under `prefix`, which is "" or ends with a slash: what a longer key has there up to its next slash, each once, in the order
   * of their keys. Costs what the folders are, whatever they hold; on S3 the permission of `list`. One whose last object was removed may be given or not.
   */
  folders(prefix: string): AsyncIterable<string>;

  /**
   * Deletes an object; there need not be one. When it rejects, the object may be gone, or may still go: so only what nothing will ever name again
   * is removed.
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
  /** When it was written, by the store's own clock, ms UTC. */
  readonly modifiedMs: number;
}

export interface StoreSink {
  write(chunk: Uint8Array): Promise<void>;
  finish(): Promise<"created" | "exists">;
  abort(): Promise<void>;
}

/** A write whose answer was lost: it may have landed, may land later, or never. Whoever catches it reads back before judging. */
export class StoreUnknownError extends Error {
  override readonly name = "StoreUnknownError";
}

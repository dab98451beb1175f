import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import { compressed, decompressed } from "../formats/lines.ts";
import { type Store, StoreUnknownError } from "../storage/store.ts";
import { sha256Of } from "./keys.ts";

const MAX_TRIES = 5;
const PAUSE_MS = 200;

/**
 * Creates an object whose name has the hash of its content. An existing object counts as success only after
 * its bytes were compared, because a store may report an object that it then lost. A write whose answer was
 * lost is repeated; that is harmless because the name fixes the content. Rejects with `untrusted` if the name
 * has other bytes.
 */
export async function createContent(
  { store, clock }: { store: Store; clock: Clock },
  key: string,
  body: Uint8Array,
): Promise<void> {
  const where = `${store.location}/${key}`;
  let outcome: unknown = null;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    outcome = await known(store.createNew(key, body));
    const stored = outcome === "exists" ? await store.get(key) : null;
    if (outcome === "created" || (stored !== null && Buffer.compare(stored.body, body) === 0)) {
      return;
    }
    if (stored !== null) {
      throw new FillbookError("untrusted", `${where} exists, but its content does not match the hash in its name`, {
        hint: "nothing was changed; move the object elsewhere and run again",
      });
    }
    await clock.sleep(PAUSE_MS * attempt);
  }
  const why = outcome instanceof Error ? outcome.message : "the store reports that the object exists but returned none";
  throw new FillbookError("incomplete", `cannot write ${where}: ${why}`, {
    hint: "committed data is safe; run again",
    cause: outcome,
  });
}

/**
 * Replaces an object and gives its new tag. Null: another writer was faster, or the answer was lost: read it.
 */
export async function tryReplace(
  store: Store,
  key: string,
  body: Uint8Array,
  tag: string | null,
): Promise<string | null> {
  const outcome = await known(store.replaceIf(key, body, tag));
  return outcome instanceof StoreUnknownError ? null : outcome;
}

/** The error if it is not known whether a write landed. */
export async function known<T>(written: Promise<T>): Promise<T | StoreUnknownError> {
  return await written.catch((error: unknown) => {
    if (error instanceof StoreUnknownError) {
      return error;
    }
    throw error;
  });
}

/** The bytes of an object. Rejects with `untrusted` if the object is missing or has another hash. */
export async function readContent(store: Store, key: string, sha256: string): Promise<Uint8Array> {
  return await checked(store, key, sha256, (body) => body);
}

async function checked<Bytes extends Uint8Array>(
  store: Store,
  key: string,
  sha256: string,
  decode: (body: Uint8Array) => Bytes | null,
): Promise<Bytes> {
  const stored = await store.get(key);
  const where = `${store.location}/${key}`;
  if (stored === null) {
    throw new FillbookError("untrusted", `${where} is missing`, {
      hint: "the archive refers to it: restore it from a backup or an older version of the object",
    });
  }
  const content = decode(stored.body);
  const actual = content === null ? "not known" : sha256Of(content);
  if (content === null || actual !== sha256) {
    const message = `${where} is damaged: its sha256 is ${actual}, but the archive expects ${sha256}`;
    throw new FillbookError("untrusted", message, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  }
  return content;
}

/** A text as an object. The hash is that of the text. */
export function encodeText(text: Buffer): { readonly sha256: string; readonly body: Uint8Array } {
  return { sha256: sha256Of(text), body: compressed(text) };
}

/** The text of such an object. Rejects as `readContent` does. */
export async function readText(store: Store, key: string, sha256: string): Promise<Buffer> {
  return await checked(store, key, sha256, decompressed);
}

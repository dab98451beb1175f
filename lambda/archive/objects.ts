import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
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
): Promise<"created" | "exists"> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await create(store, key, body);
    if (outcome instanceof Error) {
      if (attempt === MAX_TRIES) {
        throw new FillbookError("incomplete", `cannot write ${store.location}/${key}: ${outcome.message}`, {
          hint: "committed data is safe; run again",
          cause: outcome,
        });
      }
      await clock.sleep(PAUSE_MS * attempt);
    } else {
      return outcome;
    }
  }
}

/** One attempt. A returned error means that the outcome is unknown. */
async function create(store: Store, key: string, body: Uint8Array): Promise<"created" | "exists" | StoreUnknownError> {
  try {
    if ((await store.createNew(key, body)) === "created") {
      return "created";
    }
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      return error;
    }
    throw error;
  }
  const stored = await store.get(key);
  if (stored === null) {
    return new StoreUnknownError("the store reports that the object exists but returned none");
  }
  if (Buffer.compare(stored.body, body) !== 0) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${key} exists, but its content does not match the hash in its name`,
      {
        hint: "nothing was changed; move the object elsewhere and run again",
      },
    );
  }
  return "exists";
}

/** The bytes of an object. Rejects with `untrusted` if the object is missing or has another hash. */
export async function readContent(store: Store, key: string, sha256: string): Promise<Uint8Array> {
  const stored = await store.get(key);
  const where = `${store.location}/${key}`;
  if (stored === null) {
    throw new FillbookError("untrusted", `${where} is missing`, {
      hint: "the archive refers to it: restore it from a backup or an older version of the object",
    });
  }
  const actual = sha256Of(stored.body);
  if (actual !== sha256) {
    throw new FillbookError(
      "untrusted",
      `${where} is damaged: its SHA-256 is ${actual}, but the archive expects ${sha256}`,
      {
        hint: "restore it from a backup or an older version of the object; nothing was changed",
      },
    );
  }
  return stored.body;
}

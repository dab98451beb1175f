import type { Clock } from "../clock.ts";
import { FillbookError } from "../errors.ts";
import { type Store, StoreUnknownError } from "../store/store.ts";
import { sha256Of } from "./keys.ts";

const MAX_TRIES = 5;
const PAUSE_MS = 200;

/**
 * Creates an object that is named by its content. That it exists already is success: it has the same bytes. A lost answer is asked again, which
 * is harmless for the same reason.
 */
export async function createContent(
  { store, clock }: { store: Store; clock: Clock },
  key: string,
  body: Uint8Array,
): Promise<"created" | "exists"> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.createNew(key, body);
    } catch (error) {
      if (!(error instanceof StoreUnknownError)) {
        throw error;
      }
      if (attempt === MAX_TRIES) {
        throw new FillbookError("incomplete", `cannot write ${store.location}/${key}: ${error.message}`, {
          hint: "what was committed is kept; run again",
          cause: error,
        });
      }
      await clock.sleep(PAUSE_MS * attempt);
    }
  }
}

/** The bytes of an object that must be there with this hash; `untrusted` otherwise. */
export async function readContent(store: Store, key: string, sha256: string): Promise<Uint8Array> {
  const stored = await store.get(key);
  const where = `${store.location}/${key}`;
  if (stored === null) {
    throw new FillbookError("untrusted", `${where} is missing`, {
      hint: "the archive names it: restore it from a backup or an older version of the object",
    });
  }
  const actual = sha256Of(stored.body);
  if (actual !== sha256) {
    throw new FillbookError("untrusted", `${where} is damaged: its sha256 is ${actual}, the archive says ${sha256}`, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  }
  return stored.body;
}

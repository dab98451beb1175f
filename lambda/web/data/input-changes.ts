import { asFillbookError, FillbookError } from "../../core/errors.ts";
import type { InputFile } from "../../inputs/files.ts";
import { StoreUnknownError } from "../../storage/store.ts";
import type { AccountStores } from "../packs.ts";
import { inputKey, type ReadInput } from "./input-files.ts";

/**
 * Puts a file in the place of `current`, which the user saw (null: none was there). False: somebody was
 * faster, and nothing was put.
 */
export async function putInput(
  { store, account }: AccountStores,
  file: InputFile,
  current: ReadInput | null,
): Promise<boolean> {
  const key = inputKey(account, file.name);
  try {
    return (await store.replaceIf(key, file.bytes, current?.tag ?? null)) !== null;
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      const found = await store.get(key);
      if (found !== null && Buffer.compare(found.body, file.bytes) === 0) {
        return true;
      }
      throw new FillbookError("incomplete", `it is not known whether ${store.location}/${key} was written`, {
        hint: "open the page again and check; if the file is not there, upload it again",
        cause: error,
      });
    }
    // What was to be replaced was removed meanwhile.
    if (asFillbookError(error).kind === "untrusted" && current !== null && (await store.get(key)) === null) {
      return false;
    }
    throw error;
  }
}

import { FillbookError } from "../core/errors.ts";

/** For a compare-and-swap whose object was read and is now gone. fillbook never deletes it. */
export function goneError(location: string, key: string): FillbookError {
  return new FillbookError("untrusted", `${location}: ${key} disappeared while it was used`, {
    hint: "fillbook never deletes it: find out who did, and restore it from a backup or an earlier version",
  });
}
